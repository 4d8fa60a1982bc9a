import type { PreparedIncrement } from './increment.ts'

/**
 * The prepared increment with the CMS in its /Contents: the bytes to append.
 *
 * @param cms DER; the rest of /Contents stays zero
 * @throws {RangeError} if the CMS is larger than /Contents
 * @see ISO 32000-2:2020, 12.8.1, entry "Contents" of the signature dictionary
 */
export function completeIncrement(
  prepared: Pick<PreparedIncrement, 'baseLength' | 'bytes' | 'contents'>,
  cms: Uint8Array,
): Uint8Array {
  const { contents, baseLength } = prepared
  const digits = new TextEncoder().encode(Buffer.from(cms).toString('hex').toUpperCase())
  // Inside the angle brackets.
  const start = contents.start - baseLength + 1
  if (cms.length > roomIn(prepared))
    throw new RangeError(`a CMS of ${cms.length} bytes does not fit into ${roomIn(prepared)}`)
  const bytes = prepared.bytes.slice()
  bytes.set(digits, start)
  return bytes
}

/** The capacity of its /Contents in bytes. */
export const roomIn = ({ contents }: Pick<PreparedIncrement, 'contents'>) =>
  Math.floor((contents.end - contents.start - 2) / 2)
