import { concatBytes } from '#server/domain/bytes.ts'
import { BadHeader, isAuthentic, readHeader, writeHeader } from './header.ts'
import {
  type ChunkWriter,
  FILE_KEY_BYTES,
  PAYLOAD_NONCE_BYTES,
  payloadKey,
  streamOpener,
  streamSealer,
} from './stream.ts'
import { unwrapFileKey, wrapFileKey } from './x25519-stanza.ts'

/** Random bytes of one file: 16 for its key, 32 for the share, 16 for the nonce. */
export const RANDOM_BYTES = FILE_KEY_BYTES + 32 + PAYLOAD_NONCE_BYTES

/**
 * Begins an age file for one recipient.
 *
 * @param random `RANDOM_BYTES` of them, never used again
 * @returns what stands in front of the chunks, and what makes these
 */
export function ageSealer(
  recipient: Uint8Array,
  random: Uint8Array,
): { start: Uint8Array; chunks: ChunkWriter } {
  if (random.length !== RANDOM_BYTES) throw new RangeError(`${RANDOM_BYTES} random bytes`)
  const fileKey = random.slice(0, FILE_KEY_BYTES)
  const ephemeral = random.slice(FILE_KEY_BYTES, -PAYLOAD_NONCE_BYTES)
  const nonce = random.slice(-PAYLOAD_NONCE_BYTES)
  const header = writeHeader([wrapFileKey(recipient, fileKey, ephemeral)], fileKey)
  return {
    start: concatBytes(header, nonce),
    chunks: streamSealer(payloadKey(fileKey, nonce)),
  }
}

/**
 * Begins to read an age file.
 *
 * @param beginning of the file, `LONGEST_HEADER` bytes and a nonce of it, or all
 * @returns where its chunks begin, and what opens these; `not-ours` if no identity is a recipient
 * @throws {BadHeader} also if the header was changed
 */
export function ageOpener(
  beginning: Uint8Array,
  identities: readonly Uint8Array[],
): { start: number; chunks: ChunkWriter } | 'not-ours' {
  const header = readHeader(beginning)
  const fileKey = identities
    .flatMap((identity) => header.stanzas.map((stanza) => unwrapFileKey(identity, stanza)))
    .find((key) => key !== undefined)
  if (!fileKey) return 'not-ours'
  if (!isAuthentic(header, fileKey)) throw new BadHeader('the header was changed')
  const start = header.length + PAYLOAD_NONCE_BYTES
  if (beginning.length < start) throw new BadHeader('no nonce')
  const nonce = beginning.subarray(header.length, start)
  return { start, chunks: streamOpener(payloadKey(fileKey, nonce)) }
}
