import type { Document } from '#server/domain/documents/document.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import type { ReportEntry, ReportText } from '#server/domain/signing/report-paper.ts'
import type { NamedFact } from './named-facts.tsx'
import type { TimelineEntry } from './timeline.ts'
import type { VerdictView } from './verdict-view.ts'

/** The content of the verdict page for the printed report: exactly the same. */
export function reportText(
  verdict: VerdictView,
  facts: readonly NamedFact[],
  foot: string,
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
    entries: timeline.map(entryOf),
    foot,
  }
}

function entryOf(entry: TimelineEntry): ReportEntry {
  if (entry.kind === 'event')
    return {
      title: entry.text,
      tone: entry.tone,
      lines: [...(entry.when ? [entry.when] : []), ...(entry.sentences ?? [])],
      facts: (entry.facts ?? []).map(printed),
    }
  const { title, claim, tone, word, when, checks, warnings, afterwards, changes, facts, details } =
    entry
  const later = changes.flatMap((page) => page.sentences.map((said) => `${page.title}: ${said}`))
  return {
    title,
    tone: tone === 'note' ? 'plain' : tone,
    lines: [
      `${word}. ${when}.`,
      ...(claim ? [claim] : []),
      ...checks.map(({ isGood, text }) => `${isGood ? '+' : '–'} ${text}`),
      ...[...new Set(warnings)].map((warning) => `Conviene saber: ${warning}`),
      ...later.map((said) => `${afterwards}. ${said}`),
    ],
    facts: [...facts, ...details].map(printed),
  }
}

/** Hashes in groups of four, as on screen. */
const printed = ({ name, value, isHash }: NamedFact) => ({
  name,
  value: isHash ? value.replace(/(.{4})(?=.)/g, '$1 ') : value,
})

/** Where the same is said; for a document that the public must not find, what it is. */
export const reportFoot = (publicOrigin: string, document: Document): string =>
  publicAddressOf(publicOrigin, document)?.url ?? `Folio ${document.folio}`
