/** Longer words are names of companies run together, and need no correction. */
const LONGEST = 24

/** Whether the search corrects towards this word. */
export const isCorrectable = (word: string): boolean =>
  /^\p{L}+$/u.test(word) && word.length >= 4 && word.length <= LONGEST

/**
 * The word and what remains of it without one letter. Two words of which one has at most one wrong, missing, additional or
 * two exchanged letters have one of these in common.
 */
export function partsOf(word: string): string[] {
  const letters = [...word]
  return [...new Set([word, ...letters.map((_, at) => letters.toSpliced(at, 1).join(''))])]
}

/** Whether one letter is wrong, missing or additional, or two neighbours are exchanged. */
export function isOneLetterOff(left: string, right: string): boolean {
  const [a, b] = [[...left], [...right]]
  if (left === right || Math.abs(a.length - b.length) > 1) return false
  const start = a.findIndex((letter, at) => letter !== b[at])
  const at = start === -1 ? a.length : start
  const rest = (letters: readonly string[], from: number) => letters.slice(from).join('')
  return a.length === b.length
    ? rest(a, at + 1) === rest(b, at + 1) ||
        (a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2))
    : rest(a, a.length > b.length ? at + 1 : at) === rest(b, b.length > a.length ? at + 1 : at)
}
