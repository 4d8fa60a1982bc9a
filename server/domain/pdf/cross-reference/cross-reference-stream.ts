import type { ByteSource } from '#server/domain/bytes.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { decodeFilters } from '#server/domain/pdf/filters/decode.ts'
import { readIndirectObject } from '#server/domain/pdf/indirect-object.ts'
import type { Cursor } from '#server/domain/pdf/lexer.ts'
import { MAX_DECODED, MAX_ENTRIES, type WorkMeter } from '#server/domain/pdf/limits.ts'
import {
  asCount,
  isArray,
  isRef,
  isStream,
  type PdfDictionary,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import {
  type CrossReferenceEntry,
  type CrossReferenceSection,
  type RowCollector,
  rowCollector,
} from './cross-reference.ts'

/**
 * The cross-reference stream whose object begins at the cursor.
 *
 * @param base what the offsets of this file count from
 * @throws {PdfError} `damaged` when it is none, `too-complex`
 * @see ISO 32000-2:2020, 7.5.8
 */
export function readStreamSection(
  source: ByteSource,
  cursor: Cursor,
  base: number,
  meter: WorkMeter,
): CrossReferenceSection {
  const offset = cursor.position
  // Nothing can be looked up before the cross-reference is read: an indirect /Length is searched for.
  const direct = (value: PdfObject | undefined) => (isRef(value) ? null : (value ?? null))
  const { value } = readIndirectObject(cursor, direct, meter)
  if (!isStream(value) || !value.dictionary.entries.has('W'))
    throw new PdfError('damaged', `no cross-reference stream at byte ${offset}`)
  const trailer = value.dictionary
  const raw = source.read(value.data.start, value.data.end)
  const data = decodeFilters(raw, trailer, direct, MAX_DECODED)
  meter.spend(data.length)
  const { entries, firstEntries } = rowsOfStream(data, trailer, base)
  return {
    kind: 'stream',
    offset,
    end: cursor.position,
    entries,
    firstEntries,
    rowBytes: data.length,
    trailer,
    isContradictory: false,
  }
}

function rowsOfStream(data: Uint8Array, trailer: PdfDictionary, base: number): RowCollector {
  const widths = counts(trailer.entries.get('W'))
  const [typeWidth = 0, secondWidth = 0, thirdWidth = 0] = widths
  const width = typeWidth + secondWidth + thirdWidth
  if (widths.length < 3 || width === 0 || widths.some((bytes) => bytes > 7))
    throw new PdfError('damaged', 'a cross-reference stream with senseless /W')
  const index = trailer.entries.has('Index')
    ? counts(trailer.entries.get('Index'))
    : [0, asCount(trailer.entries.get('Size')) ?? 0]

  const rows = rowCollector()
  let at = 0
  for (let pair = 0; pair + 1 < index.length; pair += 2) {
    const first = index[pair]!
    for (let step = 0; step < index[pair + 1]! && at + width <= data.length; step++) {
      if (rows.entries.size > MAX_ENTRIES) throw new PdfError('too-complex', 'too many objects')
      const type = typeWidth === 0 ? 1 : bigEndian(data, at, typeWidth)
      const second = bigEndian(data, at + typeWidth, secondWidth)
      const third = bigEndian(data, at + typeWidth + secondWidth, thirdWidth)
      const entry = entryOf(type, second, third, base)
      if (entry) rows.add(first + step, entry)
      at += width
    }
  }
  return rows
}

function entryOf(
  type: number,
  second: number,
  third: number,
  base: number,
): CrossReferenceEntry | undefined {
  if (type === 0) return { kind: 'free', generation: third }
  if (type === 1)
    return second === 0
      ? { kind: 'free', generation: third }
      : { kind: 'offset', offset: second + base, generation: third }
  return type === 2 ? { kind: 'compressed', stream: second, index: third } : undefined
}

function bigEndian(data: Uint8Array, start: number, width: number): number {
  let value = 0
  for (let at = start; at < start + width; at++) value = value * 256 + data[at]!
  return value
}

function counts(value: PdfObject | undefined): number[] {
  return isArray(value) ? value.items.map((item) => asCount(item) ?? 0) : []
}
