import { expect, test } from 'vitest'
import { doesCover, type FileTimeStamp } from '#server/domain/verification/time/judge-time.ts'

const over = (covers: FileTimeStamp['covers']) => ({ covers }) as FileTimeStamp
const stamp = over({ range: [0, 100, 140, 60] })

test.each([
  [0, 100, true],
  [40, 60, true],
  [140, 200, true],
  [150, 160, true],
  [99, 101, false],
  [100, 140, false],
  [139, 150, false],
  [190, 201, false],
  [201, 300, false],
])('timestamp over the file: the bytes from %i to %i are covered: %s', (start, end, isCovered) => {
  expect(doesCover(stamp, { start, end })).toBe(isCovered)
})

test('timestamp: covers no place that is unknown, and none if it is over a signature', () => {
  expect(doesCover(stamp, undefined)).toBe(false)
  expect(doesCover(over({ place: { start: 0, end: 9 } }), { start: 0, end: 9 })).toBe(false)
})
