import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, isName, type PdfObject, type PdfStream } from '#server/domain/pdf/object.ts'

/** In bytes, decoded. */
export const MAX_CONTENT = 4 << 20

const CODINGS = new Set('FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode'.split(' '))

/**
 * Whether all readers decode the instructions alike: they do not agree about parameters that are no list beside a list of
 * filters, about short names, or about data in another file. Instructions need no parameters.
 */
export function isPlainlyCoded(
  document: PdfDocument,
  { dictionary: { entries } }: PdfStream,
): boolean {
  const filter = document.resolve(entries.get('Filter'))
  const filters = isArray(filter) ? filter.items.map(document.resolve) : [filter]
  const parameters = document.resolve(entries.get('DecodeParms'))
  const hasParameters = isArray(parameters)
    ? parameters.items.some((one) => document.resolve(one) !== null)
    : parameters !== null
  const isKnown = (one: PdfObject) => isName(one) && CODINGS.has(one.value)
  return (
    (filter === null || filters.every(isKnown)) &&
    !hasParameters &&
    !['F', 'FFilter', 'DP'].some((key) => entries.has(key))
  )
}
