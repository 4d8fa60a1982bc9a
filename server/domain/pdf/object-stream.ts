import { memorySource } from '#server/domain/bytes.ts'
import { byteReader } from './byte-reader.ts'
import { PdfError } from './error.ts'
import { acceptInteger, type Cursor } from './lexer.ts'
import type { WorkMeter } from './limits.ts'
import { asCount, type PdfObject } from './object.ts'
import { readValue } from './parser.ts'

/** The decoded content of an object stream. */
export type ObjectStream = {
  /** Its objects' numbers in their order. */
  readonly numbers: readonly number[]
  readonly size: number
  /** @throws {PdfError} `damaged`, `too-complex` */
  value(index: number): PdfObject
}

/**
 * @param data decoded
 * @throws {PdfError} `damaged`
 * @see ISO 32000-2:2020, 7.5.7
 */
export function objectStream(
  data: Uint8Array,
  entries: ReadonlyMap<string, PdfObject>,
  meter: WorkMeter,
): ObjectStream {
  const count = asCount(entries.get('N'))
  const first = asCount(entries.get('First'))
  if (count === undefined || first === undefined)
    throw new PdfError('damaged', 'an object stream without /N or /First')
  const bytes = byteReader(memorySource(data))
  const cursor: Cursor = { bytes, position: 0 }
  const numbers: number[] = []
  const offsets: number[] = []
  while (numbers.length < count && cursor.position < first) {
    const number = acceptInteger(cursor)
    const offset = acceptInteger(cursor)
    if (number === undefined || offset === undefined) break
    numbers.push(number)
    offsets.push(offset)
  }
  return {
    numbers,
    size: data.length,
    value(index) {
      const offset = offsets[index]
      if (offset === undefined) throw new PdfError('damaged', 'an object that its stream lacks')
      const start = first + offset
      const member: Cursor = { bytes, position: start }
      try {
        return readValue(member, 'object-stream')
      } finally {
        // What is decoded already costs half of what is read from the file: some honest files have little else.
        meter.spend((member.position - start) / 2)
      }
    },
  }
}
