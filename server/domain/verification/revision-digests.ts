import { createHash } from 'node:crypto'
import { concatBytes } from '#server/domain/bytes.ts'
import { Sha256 } from '#server/domain/ids.ts'

/** A file may have been changed many times; what was registered stands near its beginning. */
const MOST_REVISIONS = 64

const END = Buffer.from('%%EOF')
const [CR, LF] = [0x0d, 0x0a]

/**
 * Digests of everything that could be a revision of a file, taken while its chunks pass by: from the
 * beginning up to each `%%EOF`, without and with the line end that follows it.
 *
 * @see ISO 32000-2:2020, 7.5.6
 */
export function revisionDigests() {
  const hash = createHash('sha256')
  const digests = new Set<Sha256>()
  let revisions = 0
  let waiting: Uint8Array = new Uint8Array()

  function take(bytes: Uint8Array, isLast: boolean): void {
    let hashed = 0
    const hashUpTo = (end: number) => {
      hash.update(bytes.subarray(hashed, end))
      hashed = end
    }
    const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    let found = view.indexOf(END)
    while (found >= 0 && revisions < MOST_REVISIONS) {
      // The line end may come with the next chunk.
      if (!isLast && found + END.length + 2 > bytes.length) break
      revisions += 1
      for (const end of endsBehind(bytes, found + END.length)) {
        hashUpTo(end)
        digests.add(Sha256.parse(hash.copy().digest('hex')))
      }
      found = view.indexOf(END, found + END.length)
    }
    const isCutOff = found >= 0 && revisions < MOST_REVISIONS
    const kept = isCutOff ? found : Math.max(hashed, bytes.length - END.length + 1)
    hashUpTo(isLast ? bytes.length : kept)
    waiting = bytes.subarray(hashed)
  }

  return {
    add: (chunk: Uint8Array) => take(concatBytes(waiting, chunk), false),
    /** The digests, when all chunks have passed. */
    end(): readonly Sha256[] {
      take(waiting, true)
      return [...digests]
    },
  }
}

function endsBehind(bytes: Uint8Array, at: number): number[] {
  const ends = [at]
  if (bytes[at] === CR || bytes[at] === LF) ends.push(at + 1)
  if (bytes[at] === CR && bytes[at + 1] === LF) ends.push(at + 2)
  return ends
}
