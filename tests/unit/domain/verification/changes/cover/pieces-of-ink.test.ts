import { expect, test } from 'vitest'
import { piecesOfInk } from '#server/domain/verification/changes/cover/pieces-of-ink.ts'
import type { Box } from '#server/domain/verification/looks/geometry.ts'
import { type Paint, plainPaint } from '#server/domain/verification/looks/marks.ts'

const boxOf = (side: number, left = 0): Box => ({ left, bottom: 0, right: left + side, top: side })

/** Of which each part is drawn. */
const picture = (parts: readonly Box[]): Paint => ({
  ...plainPaint('picture', boxOf(14_400), boxOf(14_400)),
  shown: parts.map((box) => ({ box, part: 1 })),
})

/** What a comparison may cost, in pairs. */
const MOST_PAIRS = 100_000_000

function piecesOf(parts: readonly Box[]) {
  let left = MOST_PAIRS
  return piecesOfInk([picture(parts)], {
    shown: boxOf(14_400),
    covers: [],
    spend(pairs) {
      left -= pairs
      if (left < 0) throw new Error('too much')
    },
  })
}

test('pieces of ink: parts of a picture that touch are one', () => {
  const pieces = piecesOf([boxOf(10), boxOf(10, 10), boxOf(10, 40)])
  expect(pieces.map(({ parts }) => parts.length).toSorted()).toEqual([1, 2])
})

test('pieces of ink: a picture as large as the largest page costs more than a comparison may', () => {
  expect(() => piecesOf([boxOf(14_400)])).toThrow('too much')
})
