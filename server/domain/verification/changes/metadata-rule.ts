import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isRef, isStream } from '#server/domain/pdf/object.ts'
import { changeFact } from '#server/domain/verification/codes/change-codes.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, other } from './finding.ts'
import { catalogNumberIn, numberOf, pageNumbers } from './places.ts'
import type { EdgeFilter } from './reach.ts'

/** Programs set them whenever they write a file. */
const WRITTEN_BY_PROGRAMS = new Set(['ModDate', 'CreationDate', 'Producer', 'Creator', 'Trapped'])

/**
 * Dates, the names of programs and the XMP packet may change: they cannot change what a page shows. The
 * title, the author and what else people state about a document must stay.
 *
 * @see ISO 32000-2:2020, 14.3
 */
export function judgeMetadata(comparison: Comparison): Judgement {
  const { before, after, changed, isSame } = comparison
  const [old, now] = [before, after].map((document) =>
    entriesOf(document.resolve(document.trailer.entries.get('Info'))),
  ) as [ReturnType<typeof entriesOf>, ReturnType<typeof entriesOf>]
  const info = before.trailer.entries.get('Info')
  const candidates = changedPackets(comparison)
  if (isRef(info) && changed.has(info.number)) candidates.push(info.number)
  const besides = candidates.length > 0 ? comparison.changedBesides(documentMetadata) : new Set()
  const judged = new Set(candidates.filter((number) => !besides.has(number)))

  // A revision without /Info shows no information at all, which is no other information.
  const isDropped = !after.trailer.entries.has('Info')
  const keys = isDropped ? [] : [...new Set([...old.keys(), ...now.keys()])]
  const differing = keys.filter((key) => !isSame(old.get(key), now.get(key)))
  const object = isRef(info) ? info.number : 'trailer'
  const findings: Finding[] = differing
    .filter((key) => !WRITTEN_BY_PROGRAMS.has(key))
    .map((key) => other(object, changeFact('information-changed', { key })))
  const isUpdated = differing.length > 0 || judged.size > 0
  if (isUpdated && findings.length === 0)
    findings.push({ level: 'LTA_UPDATES', object, ...changeFact('metadata-updated') })
  return { findings, judged }
}

/** The trailer's /Info, and /Metadata of the catalog and of the pages. */
function documentMetadata(document: PdfDocument): EdgeFilter {
  const owners = new Set([catalogNumberIn(document), ...pageNumbers(document)])
  return (number, path) =>
    (number === 0 && path === 'Info') || (path === 'Metadata' && owners.has(number))
}

/** Changed objects that are nothing but the metadata of the document or of a page, then and now. */
function changedPackets({ before, after, changed }: Comparison): number[] {
  const owners = [catalogNumberIn(before), ...pageNumbers(before)]
  const packets = owners.map((owner) =>
    numberOf(entriesOf(before.object(owner)?.value).get('Metadata')),
  )
  return [...new Set(packets)].filter(
    (number) =>
      changed.has(number) &&
      [before, after].every((document) => isStream(document.object(number)?.value)),
  )
}
