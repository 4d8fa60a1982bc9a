import { expect, test } from 'vitest'
import { paintsOf } from '#server/domain/verification/looks/marks.ts'
import { drawn } from './drawn.ts'

const AREA = '0 0 30 30 re f'

/** By its pieces: a third one closes the triangle. */
test.each<[string, [kind: string, pieces: number, isEvenOdd: boolean][]]>([
  ['n', []],
  ['f', [['fill', 2, false]]],
  ['F', [['fill', 2, false]]],
  ['f*', [['fill', 2, true]]],
  ['S', [['stroke', 2, false]]],
  ['s', [['stroke', 3, false]]],
  ['B', ['fill', 'stroke'].map((kind) => [kind, 2, false])],
  ['b', ['fill', 'stroke'].map((kind) => [kind, 3, false])],
  [
    'B*',
    [
      ['fill', 2, true],
      ['stroke', 2, false],
    ],
  ],
  [
    'b*',
    [
      ['fill', 3, true],
      ['stroke', 3, false],
    ],
  ],
])(
  'two sides of a triangle that %s paints: are filled, drawn and closed as it says',
  (name, expected) => {
    const paints = paintsOf(drawn(`1 2 m 9 2 l 5 9 l ${name}`))
    const found = paints.map(({ kind, segments, isEvenOdd }) => [kind, segments.length, isEvenOdd])
    expect(found).toEqual(expected)
  },
)

test('a clip along the axes cuts off what is drawn after it, and draws nothing itself', () => {
  const ink = drawn(`1 2 8 7 re W n ${AREA}`)
  expect(ink.isOdd).toBe(false)
  expect(paintsOf(ink)).toMatchObject([{ clip: { left: 1, bottom: 2, right: 9, top: 9 } }])
})

test('a clip of another form is odd: its outline is drawn, which covers nothing', () => {
  const ink = drawn(`1 2 m 9 2 l 5 9 l h W* n ${AREA}`)
  expect(ink).toMatchObject({ isOdd: true, isCut: false })
  expect(paintsOf(ink)).toMatchObject([
    {
      ...{ kind: 'stroke', lineWidth: 0, lightness: undefined, covers: false },
      box: { left: 1, bottom: 2, right: 9, top: 9 },
    },
    { kind: 'fill', covers: true },
  ])
})
