import { concatBytes } from '#server/domain/bytes.ts'
import { mustLookLikePdf, SNIFFED_BYTES } from './sniff-upload.ts'

/**
 * Passes the bytes of a PDF through. Refuses any other file by its first bytes, before passing anything on: a
 * private key that was chosen by mistake never reaches the disk.
 *
 * @throws {Problem} see `mustLookLikePdf`
 */
export async function* refusingOtherFiles(
  content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let leading: Uint8Array | undefined = new Uint8Array(0)
  for await (const chunk of content) {
    if (leading === undefined) {
      yield chunk
      continue
    }
    leading = concatBytes(leading, chunk)
    if (leading.length < SNIFFED_BYTES) continue
    mustLookLikePdf(leading)
    yield leading
    leading = undefined
  }
  if (leading === undefined) return
  mustLookLikePdf(leading)
  yield leading
}
