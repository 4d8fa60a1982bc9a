import { latin1 } from '#server/domain/pdf/characters.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  isArray,
  isDictionary,
  isNamed,
  isStream,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import type { Comparison } from './comparison.ts'
import type { Judgement } from './finding.ts'
import { type EdgeFilter, linkedBesides } from './reach.ts'

/**
 * A list of fonts may gain names: programs that fill in a form add the fonts that they write with, and the form may
 * share its list with the pages. A name that some content of the signed document uses already would be seen.
 *
 * @see ISO 32000-2:2020, 7.8.3
 */
export function judgeFontLists(comparison: Comparison): Judgement {
  const extended = [...comparison.changed].filter((number) => isExtended(comparison, number))
  if (extended.length === 0) return { findings: [], judged: new Set() }
  const besides = comparison.changedBesides(fontLists)
  return { findings: [], judged: new Set(extended.filter((number) => !besides.has(number))) }
}

/** Where resources list their fonts. */
function fontLists(document: PdfDocument): EdgeFilter {
  const elsewhere = linkedBesides(
    document,
    () => true,
    (_, path) => RESOURCES.test(path),
  )
  return (number, path) => FONTS.test(path) || (path === 'Font' && !elsewhere.has(number))
}

const RESOURCES = /(?:^|\/)(?:Resources|DR)$/
const FONTS = /(?:^|\/)(?:Resources|DR)\/Font$/

function isExtended(comparison: Comparison, number: number): boolean {
  const { before, after, isSame } = comparison
  if (!comparison.reachBefore.roles.get(number)?.has('Font')) return false
  const [old, now] = [before, after].map((document) => document.object(number)?.value)
  if (!isDictionary(old) || !isDictionary(now)) return false
  const isKept = [...old.entries].every(([name, font]) => isSame(font, now.entries.get(name)))
  const added = [...now.entries.keys()].filter((name) => !old.entries.has(name))
  return isKept && !isAnyUsed(comparison, added)
}

/** Of all that is read to find out; more is taken for a use. */
const MOST_BYTES = 32 << 20

/** Whether a stream of the signed document that could be content names one of them. What cannot be read may. */
function isAnyUsed({ before, reachBefore }: Comparison, names: readonly string[]): boolean {
  let left = MOST_BYTES
  try {
    return [...reachBefore.roles].some(([number, roles]) => {
      const stream = before.object(number)?.value
      if (!isStream(stream) || !mayBeContent(before, stream, roles)) return false
      const bytes = before.decoded(stream, left)
      left -= bytes.length
      return left <= 0 || isAnyNamed(latin1(bytes), names)
    })
  } catch (error) {
    if (error instanceof PdfError) return true
    throw error
  }
}

/** A name may be written with some of its letters as numbers. @see ISO 32000-2:2020, 7.3.5 */
export function isAnyNamed(content: string, names: readonly string[]): boolean {
  if (names.some((name) => content.includes(`/${name}`))) return true
  for (const [, written] of content.matchAll(
    /\/([^\s/<>()[\]{}%]{0,99}#[^\s/<>()[\]{}%]{0,99})/g,
  )) {
    const plain = written!.replace(/#([0-9A-Fa-f]{2})/g, (_, hex) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    )
    if (names.includes(plain)) return true
  }
  return false
}

const FONT_FILES = new Set(['FontFile', 'FontFile2', 'FontFile3'])
const PICTURES = ['DCTDecode', 'JPXDecode', 'CCITTFaxDecode', 'JBIG2Decode']

/** By what leads to it and by what its data is, and not by what it calls itself. */
function mayBeContent(
  document: PdfDocument,
  { dictionary: { entries } }: PdfStream,
  roles: ReadonlySet<string>,
): boolean {
  const filter = document.resolve(entries.get('Filter'))
  const filters = isArray(filter) ? filter.items.map(document.resolve) : [filter]
  const isPicture = PICTURES.some((name) => filters.some((one) => isNamed(one, name)))
  return !isPicture && ![...roles].every((role) => FONT_FILES.has(role))
}
