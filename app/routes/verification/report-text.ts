import type { Document } from '#server/domain/documents/document.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import type { ReportEntry, ReportText } from '#server/domain/signing/report-paper.ts'
import type { NamedFact } from './named-facts.tsx'
import { CAPACITY } from './signature-view.ts'
import type { TimelineEntry } from './timeline.ts'
import type { VerdictView } from './verdict-view.ts'

/** The content of the verdict page for the printed report: the same, in the order of the paper. */
export function reportText(
  verdict: VerdictView,
  facts: readonly NamedFact[],
  { foot, qrCode }: Pick<ReportText, 'foot' | 'qrCode'>,
): ReportText {
  const { tone, word, sentence, meaning, isTest, warnings, timeline } = verdict
  return {
    tone: tone === 'note' ? 'wait' : tone,
    word,
    sentence,
    meaning,
    isTest,
    warnings,
    facts: facts.map(printed),
    entries: timeline.filter((entry) => !isInDetails(entry)).map(entryOf),
    foot,
    qrCode,
  }
}

/** On paper a timestamp that holds stands with its signature: three signatures are to fit on two pages. */
const isInDetails = (entry: TimelineEntry): boolean =>
  entry.kind === 'event' && entry.isInDetails === true

function entryOf(entry: TimelineEntry): ReportEntry {
  if (entry.kind === 'event')
    return {
      title: entry.text,
      tone: entry.tone,
      lines: [...(entry.when ? [entry.when] : []), ...(entry.sentences ?? [])],
      checks: [],
      details: (entry.facts ?? []).map(printed),
    }
  const { title, claim, tone, word, when, checks, warnings, afterwards, changes, facts, details } =
    entry
  const capacity = facts.find(({ name }) => name === CAPACITY)
  const later = changes.map((page) => `${page.title}: ${page.sentences.join(' ')}`)
  return {
    title,
    tone: tone === 'note' ? 'plain' : tone,
    lines: [
      `${word}. ${when}.`,
      ...(claim ? [claim] : []),
      ...(capacity ? [`${capacity.name}: ${capacity.value}.`] : []),
      ...[...new Set(warnings)].map((warning) => `Conviene saber: ${warning}`),
      ...later.map((said) => `${afterwards}. ${said}`),
    ],
    checks,
    details: [...facts, ...details].map(printed),
  }
}

/** Hashes in groups of four, as on screen. */
const printed = ({ name, value, isHash }: NamedFact) => ({
  name,
  value: isHash ? value.replace(/(.{4})(?=.)/g, '$1 ') : value,
})

/** Where the same is said; for a document that the public must not find, what it is. */
export function reportAddress(
  publicOrigin: string,
  document: Document,
): Pick<ReportText, 'foot' | 'qrCode'> {
  const url = publicAddressOf(publicOrigin, document)?.url ?? null
  return { foot: url ?? `Folio ${document.folio}`, qrCode: url }
}
