/**
 * One line that cannot be taken for two, nor be read backwards: without control characters and without marks that
 * turn the direction.
 *
 * @param max longest, in UTF-16 units; what is cut ends in `…`
 * @see RFC 5322, 2.2
 */
export function oneLine(text: string, max = Number.POSITIVE_INFINITY): string {
  const line = withoutControls(text).replace(/\s+/gu, ' ').trim()
  if (line.length <= max) return line
  return `${[...line.slice(0, max)].slice(0, -2).join('').trimEnd()}…`
}

/** A space for each control character, and nothing for marks that turn the direction. */
export const withoutControls = (text: string) =>
  text.replace(/[\p{Cc}\u2028\u2029]/gu, ' ').replace(/[\u202a-\u202e\u2066-\u2069]/gu, '')
