import { concatBytes } from '#server/domain/bytes.ts'
import { mustLookLikePdf, SNIFFED_BYTES } from './sniff-upload.ts'

/**
 * Lets the bytes of a PDF through. Anything else is refused from its first bytes, before the first of
 * them is handed on: a private key that was chosen by mistake never reaches the disk.
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
