import { entriesOf, isNamed, isRef, isStream } from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import { type Finding, type Judgement, other } from './finding.ts'

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
  const judged = new Set(xmpObjects(comparison))
  if (isRef(info) && comparison.isOnlyUsedAs(info.number, 'Info')) judged.add(info.number)

  // A revision without /Info shows no information at all, which is no other information.
  const isDropped = !after.trailer.entries.has('Info')
  const keys = isDropped ? [] : [...new Set([...old.keys(), ...now.keys()])]
  const differing = keys.filter((key) => !isSame(old.get(key), now.get(key)))
  const object = isRef(info) ? info.number : 'trailer'
  const findings: Finding[] = differing
    .filter((key) => !WRITTEN_BY_PROGRAMS.has(key))
    .map((key) => other(object, `Se cambió el dato «${key}» del documento.`))
  const isUpdated = differing.length > 0 || [...judged].some((number) => changed.has(number))
  if (isUpdated && findings.length === 0)
    findings.push({ level: 'LTA_UPDATES', object, sentence: 'Se actualizaron los metadatos.' })
  return { findings, judged }
}

/** Changed objects that are nothing but an XMP packet, then and now. */
function xmpObjects({ before, after, changed, isOnlyUsedAs }: Comparison): number[] {
  return [...changed].filter(
    (number) =>
      isOnlyUsedAs(number, 'Metadata') &&
      [before, after].every((document) => {
        const value = document.object(number)?.value
        return isStream(value) && isNamed(value.dictionary.entries.get('Subtype'), 'XML')
      }),
  )
}
