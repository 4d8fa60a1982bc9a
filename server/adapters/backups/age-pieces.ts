import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { ageOpener, ageSealer, RANDOM_BYTES } from '#server/domain/age/age-file.ts'
import { LONGEST_HEADER } from '#server/domain/age/header.ts'
import { PAYLOAD_NONCE_BYTES } from '#server/domain/age/stream.ts'

/** The bytes as an age file for one recipient. */
export async function* encrypted(
  plain: AsyncIterable<Uint8Array>,
  recipient: Uint8Array,
): AsyncGenerator<Uint8Array> {
  const { start, chunks } = ageSealer(recipient, randomBytes(RANDOM_BYTES))
  yield start
  for await (const piece of plain) yield* chunks.update(piece)
  yield chunks.final()
}

/** No identity is a recipient of the file. */
export class OtherRecipientError extends Error {
  override readonly name = 'OtherRecipientError'
}

const PIECE = 1 << 18

/**
 * The bytes in an age file. Each piece is authentic; only the end says that it was the whole file.
 *
 * @throws {OtherRecipientError}, {BadHeader}, {DamagedStream}
 */
export async function* decrypted(
  file: string,
  identities: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  const handle = await open(file, 'r')
  try {
    const beginning = Buffer.alloc(LONGEST_HEADER + PAYLOAD_NONCE_BYTES)
    const { bytesRead } = await handle.read(beginning, 0, beginning.length, 0)
    const opened = ageOpener(beginning.subarray(0, bytesRead), identities)
    if (opened === 'not-ours') throw new OtherRecipientError(file)
    const { start, chunks } = opened
    const sealed = handle.createReadStream({ start, highWaterMark: PIECE, autoClose: false })
    for await (const piece of sealed) yield* chunks.update(piece)
    yield chunks.final()
  } finally {
    await handle.close()
  }
}
