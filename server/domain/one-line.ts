/**
 * Text as one safe line: without control characters and bidirectional marks.
 *
 * @param max maximum length in UTF-16 units; longer text ends in `…`
 * @see RFC 5322, 2.2
 */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = withoutControls(text).replace(/\s+/gu, ' ').trim()
  if (line.length <= max) return line
  return `${[...line.slice(0, max)].slice(0, -2).join('').trimEnd()}…`
}

/** Replaces control characters by spaces and removes bidirectional marks. */
export const withoutControls = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
