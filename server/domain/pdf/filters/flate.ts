import { constants, inflateRawSync, inflateSync } from 'node:zlib'
import { PdfError } from '#server/domain/pdf/error.ts'

/**
 * The decoded bytes; what could be decoded of data that is cut short or fails its checksum.
 *
 * @throws {PdfError} `too-complex` above `limit` bytes, `damaged` when it is no deflate data
 * @see ISO 32000-2:2020, 7.4.4
 */
export function decodeFlate(data: Uint8Array, limit: number): Uint8Array {
  const options = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH }
  try {
    return inflateSync(data, options)
  } catch (error) {
    mustNotBeTooLarge(error, limit)
  }
  try {
    return inflateRawSync(data.subarray(2), options)
  } catch (error) {
    mustNotBeTooLarge(error, limit)
    throw new PdfError('damaged', 'not deflate data', { cause: error })
  }
}

function mustNotBeTooLarge(error: unknown, limit: number): void {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
    throw new PdfError('too-complex', `a stream expands to more than ${limit} bytes`)
}
