import type { Excuse } from './excuses.ts'
import type { Box, Look, Picture, ShownPage, Word } from './look.ts'
import { lostLetters } from './lost-letters.ts'
import { areaOf, grayAt, isSameWord, pixelsIn, SCALE } from './places.ts'

/** Levels of gray of 255 that cannot be told apart. */
const TOLERANCE = 12
/** How much lighter a pixel gets where something printed is covered. */
const VANISHED = 96
/** Pixels beside a place that its edge may colour. */
const EDGE = 2

/**
 * How what a reader shows of the whole file differs from what it shows of the signed part.
 *
 * @param excuses places where a difference is reported, so that it does not count
 * @param noted pages with notes, whose letters need only stay legible
 * @returns undefined if it shows the same, or opens neither
 */
export function differenceOf(
  signed: Look,
  whole: Look,
  excuses: readonly Excuse[],
  noted: ReadonlySet<number> = new Set(),
): string | undefined {
  if ('refusal' in signed)
    return 'refusal' in whole ? undefined : 'opens only with what was added behind the signature'
  if ('refusal' in whole) return `does not open any more: ${whole.refusal}`
  if (signed.pages.length !== whole.pages.length)
    return `${whole.pages.length} pages, not ${signed.pages.length}`
  for (const [at, page] of signed.pages.entries()) {
    const here = excuses.filter((excuse) => excuse.page === at + 1)
    const difference = differenceOfPage(page, whole.pages[at]!, here, noted.has(at + 1))
    if (difference !== undefined) return `page ${at + 1}: ${difference}`
  }
  return undefined
}

const differenceOfPage = (
  signed: ShownPage,
  whole: ShownPage,
  excuses: readonly Excuse[],
  isNoted: boolean,
) =>
  (isNoted
    ? lostLetters(signed.picture, whole.picture)
    : differenceOfPictures(signed.picture, whole.picture, excuses)) ??
  differenceOfWords(signed.words, seenWords(signed, whole, excuses), excuses)

/**
 * Poppler and MuPDF also give words of a signature's look that its bounding box cuts off, so that no reader draws
 * them: those that the look adds beside its place, where no pixel changes.
 */
function seenWords(
  signed: ShownPage,
  { words, picture }: ShownPage,
  excuses: readonly Excuse[],
): readonly Word[] {
  if (!excuses.some(({ keepsInk }) => keepsInk)) return words
  return words.filter((word) => {
    const { place } = word
    if (!place || signed.words.some((old) => isSameWord(old, word))) return true
    return !isUnchanged(signed.picture, picture, place)
  })
}

const isUnchanged = (before: Picture, after: Picture, place: Box) =>
  pixelsIn(areaOf(place, after)).every(
    (at) => Math.abs(grayAt(before, at) - grayAt(after, at)) <= TOLERANCE,
  )

function differenceOfPictures(
  signed: Picture,
  whole: Picture,
  excuses: readonly Excuse[],
): string | undefined {
  if (signed.width !== whole.width || signed.height !== whole.height)
    return `${whole.width} × ${whole.height} pixels, not ${signed.width} × ${signed.height}`
  if (Buffer.compare(signed.gray, whole.gray) === 0) return undefined
  for (const [at, before] of signed.gray.entries()) {
    const after = whole.gray[at]!
    if (Math.abs(before - after) <= TOLERANCE) continue
    const [x, y] = [at % signed.width, Math.floor(at / signed.width)]
    const here = excuses.filter((excuse) => isWithin(excuse, x, y))
    if (here.length === 0) return `pixel ${x}, ${y} is ${after}, not ${before}`
    if (after - before > VANISHED && here.every(({ keepsInk }) => keepsInk))
      return `pixel ${x}, ${y} was printed and is covered`
  }
  return undefined
}

function isWithin({ box }: Excuse, x: number, y: number): boolean {
  const isEmpty = box.left === box.right || box.top === box.bottom
  return (
    !isEmpty &&
    x >= box.left * SCALE - EDGE &&
    x <= box.right * SCALE + EDGE &&
    y >= box.top * SCALE - EDGE &&
    y <= box.bottom * SCALE + EDGE
  )
}

function differenceOfWords(
  signed: readonly Word[],
  whole: readonly Word[],
  excuses: readonly Excuse[],
): string | undefined {
  const [before, after] = [signed, whole].map((words) => textOf(words, excuses))
  return before === after ? undefined : `the words are “${after}”, not “${before}”`
}

/** Where a field was filled, the order of the other words means nothing: it follows the places of all words. */
function textOf(words: readonly Word[], excuses: readonly Excuse[]): string {
  const counted = words
    .filter(({ place }) => !excuses.some((excuse) => isPlacedIn(excuse, place)))
    .map(({ text }) => text)
  return (excuses.length === 0 ? counted : counted.toSorted()).join(' ')
}

/** Where it touches the place: a field may cut its letters off. */
function isPlacedIn({ box }: Excuse, place: Word['place']): boolean {
  if (!place) return false
  const edge = EDGE / SCALE
  return (
    place.left <= box.right + edge &&
    place.right >= box.left - edge &&
    place.top <= box.bottom + edge &&
    place.bottom >= box.top - edge
  )
}
