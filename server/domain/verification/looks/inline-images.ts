import { latin1 } from '#server/domain/pdf/characters.ts'
import { contentOperations } from '#server/domain/pdf/content-stream.ts'

/**
 * Behind each `EI` of some instructions: the data of an inline image may hold one, too.
 *
 * @see ISO 32000-2:2020, 8.9.7
 */
export const endsOfImages = (data: Uint8Array): number[] =>
  Array.from(latin1(data).matchAll(END_OF_IMAGE), ({ index }) => index + 'EI'.length)

const END_OF_IMAGE = /EI(?=[\0\t\n\f\r ()<>[\]{}/%]|$)/g

/**
 * Whether all readers look for `EI` behind the data of an image. They look for the end of data in some filters.
 *
 * @param start of its head
 */
export function hasPlainEnd(data: Uint8Array, start: number): boolean {
  const { value: head } = contentOperations(data, start).next()
  if (head?.operator !== 'ID') return false
  return !/A85|AHx|DCT|ASCII|#/.test(latin1(data.subarray(start, head.end)))
}
