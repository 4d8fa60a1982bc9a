import type { Hash } from 'node:crypto'
import { type ByteSource, passChunks } from '#server/domain/bytes.ts'
import { type DigestName, startDigest } from '#server/domain/trust/digest-algorithm.ts'

export type ByteRange = readonly [number, number, number, number]

/** One requested digest, over the two spans of `byteRange`. */
export type DigestRequest = { algorithm: DigestName; byteRange: ByteRange }

export type FileDigests = {
  /** SHA-256 of the whole file. */
  whole: Uint8Array
  /** In the order of the requests. */
  ranges: Uint8Array[]
}

/**
 * Digests the file once for all its signatures. Every byte range begins at 0, so one running hash for each
 * algorithm is copied where a gap begins and the copy goes on behind it; in an honest file little is left
 * to read there, because each signature stands near the end of its revision.
 *
 * @throws {RangeError} if a range does not begin at 0 or does not lie in the file
 */
export function digestRanges(source: ByteSource, requests: readonly DigestRequest[]): FileDigests {
  const copies = new Map<DigestRequest, Hash>()
  let whole: Uint8Array = new Uint8Array()
  for (const algorithm of new Set<DigestName>([
    'sha256',
    ...requests.map((request) => request.algorithm),
  ])) {
    const wanted = requests
      .filter((request) => request.algorithm === algorithm)
      .sort((a, b) => a.byteRange[1] - b.byteRange[1])
    const { running, at: start } = begin(source, algorithm, wanted[0]?.byteRange[1])
    let at = start
    for (const request of wanted) {
      if (request.byteRange[0] !== 0) throw new RangeError('a byte range must begin at 0')
      absorb(running, source, at, request.byteRange[1])
      at = request.byteRange[1]
      copies.set(request, running.copy())
    }
    if (algorithm === 'sha256') {
      absorb(running, source, at, source.length)
      whole = new Uint8Array(running.digest())
    }
  }
  const ranges = requests.map((request) => {
    const hash = copies.get(request) as Hash
    const [, , start, length] = request.byteRange
    absorb(hash, source, start, start + length)
    return new Uint8Array(hash.digest())
  })
  return { whole, ranges }
}

/** Behind what was digested already, unless something begins to be left out before. */
function begin(
  { digested, length }: ByteSource,
  algorithm: DigestName,
  firstGap = length,
): { running: Hash; at: number } {
  const isOfUse = digested && algorithm === 'sha256' && digested.length <= firstGap
  return isOfUse
    ? { running: digested.sha256(), at: digested.length }
    : { running: startDigest(algorithm), at: 0 }
}

function absorb(hash: Hash, source: ByteSource, start: number, end: number): void {
  if (!(start <= end && end <= source.length))
    throw new RangeError(`${start}..${end} does not lie in a file of ${source.length} bytes`)
  passChunks(source, { start, end }, (chunk) => hash.update(chunk))
}
