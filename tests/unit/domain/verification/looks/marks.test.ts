import { expect, test } from 'vitest'
import { piecesOf } from '#server/domain/verification/looks/marks.ts'
import { drawn } from './drawn.ts'

test('pieces: each line and curve of a mark, and the mark itself', () => {
  const piecesIn = (content: string) => piecesOf(drawn(content).marks)
  expect(piecesIn('')).toBe(0)
  expect(piecesIn('BT (a) Tj ET')).toBe(1)
  expect(piecesIn('0 0 m 9 9 l S')).toBe(2)
  expect(piecesIn('0 0 m 9 9 l 1 2 3 4 5 6 c 6 5 4 3 2 1 c S')).toBe(4)
})
