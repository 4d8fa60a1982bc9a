import { ReadableStream as WebStream } from 'node:stream/web'
import { createTarDecoder, createTarPacker } from 'modern-tar'
import type { ArchiveEntry } from '#server/ports/archive-entry.ts'

const MODE = 0o600

/** The entries as a tar archive. Takes an entry when the bytes before it were read. */
export async function* tarOf(
  entries: AsyncIterable<ArchiveEntry>,
  at: Date,
): AsyncGenerator<Uint8Array> {
  const { readable, controller } = createTarPacker()
  const packed = pack(entries, controller, at).catch((error) => controller.error(error))
  try {
    yield* readable
  } finally {
    await packed
  }
}

type Packer = ReturnType<typeof createTarPacker>['controller']

async function pack(entries: AsyncIterable<ArchiveEntry>, packer: Packer, mtime: Date) {
  for await (const { name, bytes, pieces } of entries) {
    const body = packer.add({ name, size: bytes, type: 'file', mode: MODE, mtime }).getWriter()
    for await (const piece of pieces) await body.write(piece)
    await body.close()
  }
  packer.finalize()
}

/** The archive is none, was cut, or has something else than files. */
export class BadArchiveError extends Error {
  override readonly name = 'BadArchiveError'
}

/**
 * The files of a tar archive, in order. The pieces of one must be read before the next is asked for. Ends when the
 * archive has been read to its last byte.
 *
 * @throws {BadArchiveError}; errors of `tar` are rethrown
 */
export async function* entriesIn(tar: AsyncIterable<Uint8Array>): AsyncGenerator<ArchiveEntry> {
  const source = watched(tar)
  const decoded = webStreamOf(source.pieces).pipeThrough(createTarDecoder({ strict: true }))
  for await (const { header, body } of explained(decoded, source)) {
    if (header.type !== 'file') throw new BadArchiveError(`${header.type} in the archive`)
    yield { name: header.name, bytes: header.size, pieces: explained(body, source) }
  }
}

type Watched = { pieces: AsyncIterable<Uint8Array>; failure(): unknown }

/** Remembers the error of the source: web streams do not always pass it on. */
function watched(tar: AsyncIterable<Uint8Array>): Watched {
  let failure: unknown
  async function* passing(): AsyncGenerator<Uint8Array> {
    try {
      yield* tar
    } catch (error) {
      failure = error
      throw error
    }
  }
  return { pieces: passing(), failure: () => failure }
}

/** The same, with the error of the source, or one that says that the archive is bad. */
async function* explained<T>(stream: AsyncIterable<T>, { failure }: Watched): AsyncGenerator<T> {
  try {
    yield* stream
  } catch (error) {
    if (failure() !== undefined) throw failure()
    const reason = error instanceof Error ? error.message : String(error)
    throw new BadArchiveError(reason, { cause: error })
  }
}

/** The global type does not know `from`. */
const webStreamOf = (pieces: AsyncIterable<Uint8Array>) =>
  WebStream.from(pieces) as unknown as ReadableStream<Uint8Array>
