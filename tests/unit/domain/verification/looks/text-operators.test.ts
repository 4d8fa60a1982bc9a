import { expect, test } from 'vitest'
import { runsOf } from '#server/domain/verification/looks/marks.ts'
import { drawn } from './drawn.ts'

const RESOURCES =
  '<</Font<</F1<</Type/Font/Subtype/Type1/BaseFont/Own/FirstChar 97/Widths[500 700]>>>>>>'
const placesOf = (content: string) =>
  runsOf(drawn(`BT /F1 10 Tf ${content} ET`, RESOURCES)).map(({ start }) => start)

test.each<[string, (readonly [number, number])[]]>([
  [
    '(ab) Tj (a) Tj',
    [
      [0, 0],
      [12, 0],
    ],
  ],
  [
    '50 Tz (ab) Tj (a) Tj',
    [
      [0, 0],
      [6, 0],
    ],
  ],
  [
    '200 Tz (ab) Tj (a) Tj',
    [
      [0, 0],
      [24, 0],
    ],
  ],
  [
    '[(a) -1000 (b)] TJ',
    [
      [0, 0],
      [15, 0],
    ],
  ],
  [
    '50 Tz [(a) -1000 (b)] TJ',
    [
      [0, 0],
      [7.5, 0],
    ],
  ],
  [
    '50 Tz 2 Tc (ab) Tj (a) Tj',
    [
      [0, 0],
      [8, 0],
    ],
  ],
  [
    '3 4 Td (a) Tj 12 TL T* (a) Tj',
    [
      [3, 4],
      [3, -8],
    ],
  ],
  [
    '2 0 0 2 5 6 Tm (ab) Tj (a) Tj',
    [
      [5, 6],
      [29, 6],
    ],
  ],
  ['3 Ts (a) Tj', [[0, 3]]],
  [
    '12 TL 9 2 (ab) " (a) Tj',
    [
      [0, -12],
      [16, -12],
    ],
  ],
  [
    '12 TL 9 2 (a ) " 0 0 (a) "',
    [
      [0, -12],
      [0, -24],
    ],
  ],
])('letters stand where the ones before lead them: %s', (content, places) => {
  expect(placesOf(content)).toEqual(places)
})

test.each(['(a) TJ', '5 TJ', 'TJ'])('instructions that show no list are odd: %s', (content) => {
  expect(drawn(`BT /F1 10 Tf ${content} ET`, RESOURCES)).toMatchObject({ isOdd: true })
})
