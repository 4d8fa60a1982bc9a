const NEWLINE = 0x0a

/**
 * The lines of a stream, without their ends; the last one may have none. A line that is longer than `limit` bytes
 * comes in pieces: none of it is held longer than that.
 */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  limit: number,
): AsyncGenerator<Uint8Array> {
  let held = Buffer.alloc(0)
  for await (const chunk of chunks) {
    held = held.length === 0 ? Buffer.from(chunk) : Buffer.concat([held, chunk])
    let start = 0
    for (let end = held.indexOf(NEWLINE); end !== -1; end = held.indexOf(NEWLINE, start)) {
      yield held.subarray(start, end)
      start = end + 1
    }
    held = held.subarray(start)
    if (held.length > limit) {
      yield held
      held = Buffer.alloc(0)
    }
  }
  if (held.length > 0) yield held
}
