export const CHUNKS_KEPT = 64

/**
 * Keeps the chunks that were read last, at most 64. The least recently used goes first. Chunks are never written to
 * again, so views of them stay true.
 *
 * @param load reads the chunk that begins at `start`
 */
export function recentChunks(load: (start: number) => Uint8Array) {
  const kept = new Map<number, Uint8Array>()
  let lastStart = -1
  let last: Uint8Array = new Uint8Array()
  return (start: number): Uint8Array => {
    // Most reads are in the same chunk as the one before.
    if (start === lastStart) return last
    const bytes = kept.get(start) ?? load(start)
    kept.delete(start)
    kept.set(start, bytes)
    if (kept.size > CHUNKS_KEPT) kept.delete(kept.keys().next().value!)
    lastStart = start
    last = bytes
    return bytes
  }
}
