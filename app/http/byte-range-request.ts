/** The half-open byte range `start`..`end` of a file. */
export type ByteRange = { start: number; end: number }

/**
 * Returns the range that a `Range` header requests of a file of `size` bytes: `whole` if we do not serve
 * that kind of range (several ranges, other units), `unsatisfiable` if it is outside the file.
 *
 * @see RFC 9110, 14.2
 */
export function requestedRange(
  header: string | null,
  size: number,
): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || first + last === '') return 'whole'
  if (first === '') {
    const length = Number(last)
    return length === 0 ? 'unsatisfiable' : { start: Math.max(0, size - length), end: size }
  }
  const start = Number(first)
  const end = last === '' ? size : Math.min(Number(last) + 1, size)
  if (last !== '' && Number(last) < start) return 'whole'
  return start < size ? { start, end } : 'unsatisfiable'
}
