import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { decodeFilters } from '#server/domain/pdf/filters/decode.ts'
import { MAX_DECODED } from '#server/domain/pdf/limits.ts'
import { isStream } from '#server/domain/pdf/object.ts'
import { objectStream } from '#server/domain/pdf/object-stream.ts'
import type { ObjectBody } from './layout.ts'

/**
 * The numbers of the objects in an object stream, in their order; none when it cannot be read.
 *
 * @throws {PdfError} `too-complex`
 */
export function membersOfBody(document: PdfDocument, body: ObjectBody): readonly number[] {
  const { number, span, value } = body
  return noneUnlessReadable(() => {
    if (document.object(number)?.span?.start === span.start) return document.members(number)
    if (!isStream(value)) return []
    const { dictionary } = value
    const data = decodeFilters(document.raw(value), dictionary, document.resolve, MAX_DECODED)
    document.meter.spend(data.length >> 2)
    const counts = ['N', 'First'].map(
      (key) => [key, document.resolve(dictionary.entries.get(key))] as const,
    )
    return objectStream(data, new Map(counts), document.meter).numbers
  })
}

/** The same for the object stream that has this number today. */
export const membersOf = (document: PdfDocument, container: number): readonly number[] =>
  noneUnlessReadable(() => document.members(container))

function noneUnlessReadable(read: () => readonly number[]): readonly number[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof PdfError && error.code !== 'too-complex') return []
    throw error
  }
}
