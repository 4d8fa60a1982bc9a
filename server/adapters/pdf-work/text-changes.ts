import { diffArrays } from 'diff'
import type { ChangedPlace, TextComparison, TextPart } from '#server/ports/text-comparison.ts'

/** The lines of each page of a version, in order. */
export type PageLines = readonly (readonly string[])[]

/** Added and removed lines of a comparison. Myers' algorithm takes their number times the lines, and keeps its square of paths. */
const MOST_LINE_EDITS = 2_500
/** The same of the words of one place; beyond it, the place is shown as removed and added. */
const MOST_WORD_EDITS = 1_000
const MOST_PLACES = 400
/** Of all places together. */
const MOST_LETTERS = 500_000
/** Of an unchanged stretch within a place, in words. */
const MOST_SAME_WORDS = 80
/** Of an unchanged line beside a place, in letters. */
const MOST_CONTEXT = 160

type Line = { text: string; page: number }

/**
 * What changed from one text to another: first by lines, then, where lines changed, by words. Text that only flows into
 * other lines did not change.
 */
export function changesBetween(before: PageLines, after: PageLines): TextComparison {
  const [old, now] = [linesIn(before), linesIn(after)]
  const changes = diffArrays(...numbered(old, now), { maxEditLength: MOST_LINE_EDITS })
  if (!changes) return { kind: 'too-different' }
  const places: ChangedPlace[] = []
  let [at, to, letters] = [0, 0, 0]
  let isCut = false
  for (let index = 0; index < changes.length; ) {
    const first = changes[index]!
    if (!first.added && !first.removed) {
      at += first.count
      to += first.count
      index += 1
      continue
    }
    let [removed, added] = [0, 0]
    for (; changes[index]?.added || changes[index]?.removed; index += 1) {
      const { count, added: isAdded } = changes[index]!
      if (isAdded) added += count
      else removed += count
    }
    const place = placeOf(old, now, { at, removed, to, added })
    at += removed
    to += added
    if (!place) continue
    letters += place.parts.reduce((sum, { text }) => sum + text.length, 0)
    isCut = places.length >= MOST_PLACES || letters > MOST_LETTERS
    if (isCut) break
    places.push(place)
  }
  return {
    ...{ kind: 'compared', places, isCut },
    blank: { before: blankIn(before), after: blankIn(after) },
    pages: { before: before.length, after: after.length },
  }
}

const linesIn = (pages: PageLines): Line[] =>
  pages.flatMap((lines, index) =>
    lines.flatMap((line) => {
      const text = line.replace(/\s+/g, ' ').trim()
      return text === '' ? [] : [{ text, page: index + 1 }]
    }),
  )

const blankIn = (pages: PageLines): number[] =>
  pages.flatMap((lines, index) => (lines.some((line) => line.trim() !== '') ? [] : [index + 1]))

/** Equal lines get equal numbers, which compare faster than texts. */
function numbered(old: readonly Line[], now: readonly Line[]): [number[], number[]] {
  const numbers = new Map<string, number>()
  const numberOf = ({ text }: Line) => {
    const known = numbers.get(text) ?? numbers.size
    numbers.set(text, known)
    return known
  }
  return [old.map(numberOf), now.map(numberOf)]
}

/** Undefined if the same words only stand in other lines. */
function placeOf(
  old: readonly Line[],
  now: readonly Line[],
  { at, removed, to, added }: { at: number; removed: number; to: number; added: number },
): ChangedPlace | undefined {
  const [gone, come] = [old.slice(at, at + removed), now.slice(to, to + added)]
  const parts = wordChanges(wordsIn(gone), wordsIn(come))
  if (parts.every(({ kind }) => kind === 'same')) return undefined
  return {
    page: { before: gone[0]?.page ?? null, after: come[0]?.page ?? null },
    parts: [
      ...context(
        now[to - 1],
        (text) => `${text.length > MOST_CONTEXT ? '… ' : ''}${text.slice(-MOST_CONTEXT)}`,
      ),
      ...parts,
      ...context(
        now[to + added],
        (text) => `${text.slice(0, MOST_CONTEXT)}${text.length > MOST_CONTEXT ? ' …' : ''}`,
      ),
    ],
  }
}

const context = (line: Line | undefined, cut: (text: string) => string): TextPart[] =>
  line ? [{ kind: 'same', text: cut(line.text) }] : []

const wordsIn = (lines: readonly Line[]) => lines.flatMap(({ text }) => text.split(' '))

function wordChanges(old: readonly string[], now: readonly string[]): TextPart[] {
  const changes = diffArrays([...old], [...now], { maxEditLength: MOST_WORD_EDITS })
  if (!changes) return [partOf('removed', old), partOf('added', now)]
  return changes.map(({ value, added, removed }) =>
    partOf(added ? 'added' : removed ? 'removed' : 'same', value),
  )
}

function partOf(kind: TextPart['kind'], words: readonly string[]): TextPart {
  const isShort = kind !== 'same' || words.length <= MOST_SAME_WORDS
  const half = MOST_SAME_WORDS / 2
  const shown = isShort ? words : [...words.slice(0, half), '…', ...words.slice(-half)]
  return { kind, text: shown.join(' ') }
}
