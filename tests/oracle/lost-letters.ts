import type { Picture } from './look.ts'
import { SCALE } from './places.ts'

/** Side of the squares that are looked at, in points: a letter of the deeds. */
const LETTER = 12
/** Levels of gray of 255 of what is printed, and of its ground. */
const [INK, GROUND] = [100, 200] as const
/** Which part of the contrast between both leaves a letter legible. */
const LEGIBLE = 0.3

/** Where letters that were printed cannot be read any more, below notes that may be there; undefined for nowhere. */
export function lostLetters(before: Picture, after: Picture): string | undefined {
  if (before.width !== after.width || before.height !== after.height)
    return `${after.width} × ${after.height} pixels, not ${before.width} × ${before.height}`
  const side = Math.round(LETTER * SCALE)
  const step = Math.floor(side / 2)
  for (let top = 0; top + side <= before.height; top += step)
    for (let left = 0; left + side <= before.width; left += step)
      if (isLost(before, after, { left, top, side }))
        return `the letters at ${left}, ${top} are lost`
  return undefined
}

type Square = { left: number; top: number; side: number }

function isLost(before: Picture, after: Picture, { left, top, side }: Square): boolean {
  const [ink, ground] = [newSum(), newSum()]
  for (let y = top; y < top + side; y++)
    for (let x = left; x < left + side; x++) {
      const at = y * before.width + x
      const gray = before.gray[at]!
      if (gray <= INK) add(ink, gray, after.gray[at]!)
      else if (gray >= GROUND) add(ground, gray, after.gray[at]!)
    }
  // A letter, and what it stands on.
  if (ink.count < 2 * side || ground.count < 2 * side) return false
  const then = ground.before / ground.count - ink.before / ink.count
  const now = ground.after / ground.count - ink.after / ink.count
  return now < then * LEGIBLE
}

const newSum = () => ({ count: 0, before: 0, after: 0 })

function add(sum: ReturnType<typeof newSum>, before: number, after: number): void {
  sum.count += 1
  sum.before += before
  sum.after += after
}
