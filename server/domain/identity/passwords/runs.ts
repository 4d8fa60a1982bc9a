/** Keys by row, as on every keyboard of Mexico and the United States; letters have lost their accents before. */
const ROWS = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm']

type Key = { readonly row: number; readonly column: number }

const KEYS: ReadonlyMap<string, Key> = new Map(
  ROWS.flatMap((keys, row) => [...keys].map((key, column) => [key, { row, column }] as const)),
)

/** Length of the run of one character from `start` on: 4 for `aaaab`. */
export const repetitionAt = (text: string, start: number) => evenRunAt(text, start, [0])

/** Length of the ascending or descending run from `start` on: 5 for `abcde`, 4 for `9876`. */
export const sequenceAt = (text: string, start: number) => evenRunAt(text, start, [1, -1])

function evenRunAt(text: string, start: number, steps: readonly number[]): number {
  const stepTo = (at: number) => text.charCodeAt(at) - text.charCodeAt(at - 1)
  const step = stepTo(start + 1)
  if (!steps.includes(step)) return 1
  return lengthWhile(text, start, (at) => stepTo(at) === step)
}

/** Length of the straight line on the keyboard from `start` on: 6 for `qwerty`, 4 for `1qaz`. */
export function keyboardLineAt(text: string, start: number): number {
  const first = stepBetween(text, start + 1)
  if (!first || !isNeighbour(first)) return 1
  return lengthWhile(text, start, (at) => {
    const step = stepBetween(text, at)
    return step?.row === first.row && step.column === first.column
  })
}

/** Length of the walk from key to neighbouring key from `start` on: 8 for `1q2w3e4r`. */
export function keyboardWalkAt(text: string, start: number): number {
  return lengthWhile(text, start, (at) => {
    const step = stepBetween(text, at)
    return step !== undefined && isNeighbour(step)
  })
}

function stepBetween(text: string, at: number): Key | undefined {
  const from = KEYS.get(text.charAt(at - 1))
  const to = KEYS.get(text.charAt(at))
  return from && to && { row: to.row - from.row, column: to.column - from.column }
}

/* Each row stands half a key to the right of the row above it. */
function isNeighbour({ row, column }: Key): boolean {
  if (row === 0) return Math.abs(column) === 1
  return Math.abs(row) === 1 && (column === 0 || column === -row)
}

function lengthWhile(text: string, start: number, continuesAt: (at: number) => boolean): number {
  let end = start + 1
  while (end < text.length && continuesAt(end)) end += 1
  return end - start
}
