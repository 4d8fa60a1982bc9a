import { PdfError } from '#server/domain/pdf/error.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isName,
  type PdfDictionary,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import { decodeFlate } from './flate.ts'
import { decodeLzw } from './lzw.ts'
import { undoPredictor } from './predictor.ts'
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './text.ts'

const MAX_FILTERS = 8

/**
 * The data of a stream after all its filters.
 *
 * @param data as it lies in the file
 * @param resolve follows references, as filters and their parameters may be indirect
 * @throws {PdfError} `damaged` for a filter that structure never uses (pictures) or for broken data,
 *   `too-complex` above `limit` bytes
 * @see ISO 32000-2:2020, 7.4
 */
export function decodeFilters(
  data: Uint8Array,
  dictionary: PdfDictionary,
  resolve: (value: PdfObject | undefined) => PdfObject,
  limit: number,
): Uint8Array {
  const filters = listOf(resolve(dictionary.entries.get('Filter')))
  const parameters = listOf(resolve(dictionary.entries.get('DecodeParms')))
  if (filters.length > MAX_FILTERS) throw new PdfError('too-complex', 'too many filters')
  return filters.reduce<Uint8Array>((bytes, filter, at) => {
    const entries = entriesOf(resolve(parameters[at]))
    const number = (key: string, otherwise: number) =>
      asCount(resolve(entries.get(key))) ?? otherwise
    return decodeOne(bytes, resolve(filter), number, limit)
  }, data)
}

function decodeOne(
  data: Uint8Array,
  filter: PdfObject,
  number: (key: string, otherwise: number) => number,
  limit: number,
): Uint8Array {
  const predict = (bytes: Uint8Array) =>
    undoPredictor(bytes, {
      predictor: number('Predictor', 1),
      colors: number('Colors', 1),
      bitsPerComponent: number('BitsPerComponent', 8),
      columns: number('Columns', 1),
    })
  switch (isName(filter) ? filter.value : undefined) {
    case 'FlateDecode':
    case 'Fl':
      return predict(decodeFlate(data, limit))
    case 'LZWDecode':
    case 'LZW':
      return predict(decodeLzw(data, number('EarlyChange', 1), limit))
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeAsciiHex(data)
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(data, limit)
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(data, limit)
    // Undone before all others, where the file is encrypted at all.
    case 'Crypt':
      return data
    default:
      throw new PdfError('damaged', 'a filter that we do not read')
  }
}

function listOf(value: PdfObject): readonly PdfObject[] {
  if (isArray(value)) return value.items
  return value === null ? [] : [value]
}
