import { describe, expect, test } from 'vitest'
import type { Frame } from '#server/domain/verification/looks/frame.ts'
import type { Box, Segment } from '#server/domain/verification/looks/geometry.ts'
import type { LookFont } from '#server/domain/verification/looks/look-font.ts'
import {
  type Mark,
  type Paint,
  plainPaint,
  type Run,
} from '#server/domain/verification/looks/marks.ts'
import { legibleLines, type TextRules } from '#server/domain/verification/looks/text-look.ts'

const boxOf = (left: number, bottom: number, right: number, top: number): Box => ({
  ...{ left, bottom, right, top },
})
const EVERYWHERE = boxOf(-1e6, -1e6, 1e6, 1e6)
const FONT = { drawsSigns: false } as LookFont

/** Letters half as wide as they are high, from 5 points above the foot of the field. */
function aRun({ at = 2, above = 5, ...changes }: Partial<Run> & { at?: number; above?: number }) {
  const { letters = 3, size = 10, stretch = 1 } = changes
  const square = letters * size * stretch
  const run: Run = {
    ...{
      kind: 'text',
      isApart: true,
      text: 'Ana',
      letters,
      codes: new Uint8Array(),
      start: [at, above],
    },
    ...{ leastEnd: at + square * 0.35, mostEnd: at + square * 0.7, likelyEnd: at + square / 2 },
    ...{ reach: size, end: [at + square / 2, above], slack: 0, size, stretch, isUpright: true },
    sides: [
      [size * stretch, 0],
      [0, size],
    ],
    ...{ mode: 0, lineWidth: 0, lightness: 0, outline: 0, font: FONT, clip: EVERYWHERE },
    ...{ isOpaque: true, isRecoloured: false, gaps: { letter: 0, blank: 0 } },
  }
  return { ...run, ...changes }
}

const around = ({ left, bottom, right, top }: Box): Segment[] => [
  [
    [left, bottom],
    [right, bottom],
  ],
  [
    [right, bottom],
    [right, top],
  ],
  [
    [right, top],
    [left, top],
  ],
  [
    [left, top],
    [left, bottom],
  ],
]
const area = (box: Box, changes: Partial<Paint> = {}): Paint => ({
  ...plainPaint('fill', box, EVERYWHERE),
  ...{ segments: around(box), lightness: 0 },
  ...changes,
})
const line = (x: number, changes: Partial<Paint> = {}, bottom = 0, top = 20): Paint => ({
  ...plainPaint('stroke', boxOf(x, bottom, x, top), EVERYWHERE),
  segments: [
    [
      [x, bottom],
      [x, top],
    ],
  ],
  ...{ lightness: 0, lineWidth: 1 },
  ...changes,
})

const frameOf = (marks: readonly Mark[], height = 20, isOdd = false): Frame => {
  const ink = { marks, isOdd, isCut: false, isUnread: false }
  return { width: 100, height, turn: 0, ink, drawn: ink }
}

const RULES: TextRules = {
  signed: () => undefined,
  ...{ hasColours: false, cells: 0, isMultiline: false, isList: false, isLarge: false },
  defaultSize: undefined,
  isKnown: () => true,
}

const read = (marks: readonly Mark[], rules: Partial<TextRules> = {}, height = 20) =>
  legibleLines(frameOf(marks, height), { ...RULES, ...rules })
const isRead = (marks: readonly Mark[], rules: Partial<TextRules> = {}, height = 20) =>
  read(marks, rules, height) !== undefined
const signed = (...marks: Mark[]) => ({ signed: () => frameOf(marks) })

test('text of a field: the letters of a line, in their order', () => {
  const runs = [aRun({}), aRun({ text: ' ', at: 30 }), aRun({ text: ' López', at: 18 })]
  expect(read(runs)).toEqual([{ text: 'Ana López', isMarked: false, isLastWithRoom: true }])
  expect(read([])).toEqual([])
  expect(read([aRun({ text: '' })])).toEqual([])
  expect(legibleLines(frameOf([aRun({})], 20, true), RULES)).toBeUndefined()
})

test('text of a field: lines below each other, of which the last takes the room that is left', () => {
  const first = aRun({ above: 48 })
  const second = aRun({ above: 34, text: 'Luis' })
  const rules = { isMultiline: true }
  expect(read([first, second], rules, 60)).toEqual([
    { text: 'Ana', isMarked: false, isLastWithRoom: false },
    { text: 'Luis', isMarked: false, isLastWithRoom: false },
  ])
  const last = aRun({ above: 20, text: 'Eva' })
  expect(read([first, second, last], rules, 60)?.map((one) => one.isLastWithRoom)).toEqual([
    ...[false, false, true],
  ])
  expect(read([{ ...last, start: [2, 20] }], rules, 60)?.[0]?.isLastWithRoom).toBe(false)
  // Beside the line, above it, on it, and too far below it.
  expect(isRead([first, aRun({ above: 45.5, at: 30 })], rules, 60)).toBe(true)
  expect(isRead([second, first], rules, 60)).toBe(false)
  expect(isRead([aRun({ above: 45 }), aRun({ above: 15 })], rules, 60)).toBe(true)
  expect(isRead([aRun({ above: 46 }), aRun({ above: 15 })], rules, 60)).toBe(false)
})

test.each<[string, Partial<Run> & { at?: number; above?: number }, Partial<TextRules>?, number?]>([
  ['as small as letters are, over half of the width', { size: 2, letters: 50 }],
  ['as small as letters are, in a field as low', { size: 2, above: 1 }, {}, 4],
  ['as small as when it was signed', { size: 3 }, signed(aRun({ size: 3 }))],
  ['as small as the form states', { size: 3 }, { defaultSize: 3 }],
  ['of 5 points in a field with room', { size: 5 }],
  ['half as high again as the field', { size: 30, above: 0 }],
  ['of 60 points', { size: 60, above: 0, letters: 1 }, {}, 100],
  ['of 24 points in a large field', { size: 24 }, { isLarge: true }, 100],
  ['as large as when it was signed', { size: 40, above: -5 }, signed(aRun({ size: 40 }))],
  ['as narrow as half', { stretch: 0.5 }],
  ['as wide as twice', { stretch: 2 }],
  ['with an outline of its colour', { mode: 2, lineWidth: 0.6, outline: 0.3 }],
  ['with a tenth of a letter for each', { leastEnd: 5 }],
  ['with two and a half for each', { mostEnd: 77 }],
  ['with twelve in cells', { mostEnd: 362, at: 2 }, { cells: 4 }],
  ['grey', { lightness: 0.64 }],
  ['two points before the edge', { at: -2 }],
  ['in a clip that leaves most of the field', { clip: boxOf(0, 0, 72, 20) }],
  ['in a clip that leaves most of its height', { clip: boxOf(0, 4, 100, 10.5) }],
  ['in a clip that begins with its letters', { clip: boxOf(4.5, 0, 100, 20) }],
  ['in a clip above their foot', { clip: boxOf(0, 7, 100, 20) }],
  ['in a clip that ends with them', { letters: 17, clip: boxOf(0, 0, 84.5, 20) }],
  ['in a clip that ends with the field', { letters: 19, clip: boxOf(0, 0, 92, 20) }],
  ['before the field, in a clip', { at: -1, clip: boxOf(2, 0, 100, 20) }],
  ['longer than the field', { letters: 30 }],
  ['longer, from a tenth of the field', { letters: 30, at: 20 }],
  ['longer, by wide letters', { letters: 15, stretch: 2 }],
  ['from its middle to about its end', { letters: 11, at: 50 }],
  [
    'longer and larger, as when it was signed',
    { letters: 24, size: 13 },
    signed(aRun({ size: 13 })),
  ],
  ['longer, in the middle', { letters: 30, at: -50 }],
  ['longer, in the middle, of wide letters', { letters: 15, stretch: 2, at: -100 }],
  ['longer, each letter as wide as it is high', { letters: 13, likelyEnd: 132 }],
  ['longer, from before the field to near its end', { letters: 30, at: -50, mostEnd: 80 }],
  ['a bit below the foot', { above: -2 }],
  ['as high as the field', { above: 14.5 }],
])('text of a field: is read %s', (_, run, rules = {}, height = 20) => {
  expect(isRead([aRun(run)], rules, height)).toBe(true)
})

test.each<[string, Partial<Run> & { at?: number; above?: number }, Partial<TextRules>?, number?]>([
  ['too small', { size: 1.9, letters: 60 }],
  ['like specks in a field with room', { size: 4.9 }],
  ['smaller than the form states', { size: 2.9 }, { defaultSize: 3 }],
  ['too large for the field', { size: 30.1, above: 0 }],
  ['of more than 60 points', { size: 60.1, above: 0, letters: 1 }, {}, 100],
  ['of more than 24 points in a large field', { size: 24.1 }, { isLarge: true }, 100],
  ['larger than when it was signed', { size: 40.1, above: -5 }, signed(aRun({ size: 40 }))],
  ['too narrow', { stretch: 0.49 }],
  ['too wide', { stretch: 2.01 }],
  ['as an outline alone', { mode: 1 }],
  ['with a wide outline', { mode: 2, lineWidth: 0.7 }],
  ['with an outline of another colour', { mode: 2, lineWidth: 0.6, outline: 0.31 }],
  ['over each other', { leastEnd: 4.9 }],
  ['far apart', { mostEnd: 77.1 }],
  ['far apart in cells', { mostEnd: 362.1 }, { cells: 4 }],
  ['pale', { lightness: 0.66 }],
  ['of a colour that is not known', { lightness: undefined }],
  ['before the edge', { at: -2.1 }],
  ['behind the field', { at: 101 }],
  ['without a font', { font: undefined }],
  ['of letters that are not known', { text: undefined }],
  ['in a font of signs', { font: { drawsSigns: true } as LookFont }],
  ['in a font that is not known', {}, { isKnown: () => false }],
  ['turned', { isUpright: false }],
  ['transparent', { isOpaque: false }],
  ['in a narrow clip', { clip: boxOf(0, 0, 71.9, 20) }],
  ['in a low clip', { clip: boxOf(0, 5, 100, 10.9) }],
  ['without its beginning', { clip: boxOf(4.6, 0, 100, 20) }],
  ['without its beginning at the edge of the field', { at: 0, clip: boxOf(2.6, 0, 100, 20) }],
  ['without its foot', { clip: boxOf(0, 7.1, 100, 20) }],
  ['without its head', { clip: boxOf(0, 0, 100, 10.4) }],
  ['without its end', { letters: 17, clip: boxOf(0, 0, 84.4, 20) }],
  ['without its end at the end of the field', { letters: 19, clip: boxOf(0, 0, 89, 20) }],
  ['longer than the field, from its middle', { letters: 30, at: 20.1 }],
  ['longer than the field, from its middle to beyond its end', { letters: 12, at: 50 }],
  ['longer than the field, and larger', { letters: 24, size: 13 }],
  ['longer than the field, and spread', { letters: 10, likelyEnd: 140, mostEnd: 140 }],
  ['longer, before the field alone', { letters: 30, at: -50, mostEnd: 79 }],
  ['below the foot', { above: -2.1 }],
  ['above the field', { above: 14.6 }],
])('text of a field: is not read %s', (_, run, rules = {}, height = 20) => {
  expect(isRead([aRun(run)], rules, height)).toBe(false)
})

test('text of a field: its last line is cut off at the foot where the ones above leave no room', () => {
  const isCut = (below: number, rules: Partial<TextRules>, size = 10) =>
    isRead([aRun({ above: 8, size }), aRun({ above: 8 - below, size })], rules, 30)
  for (const rules of [{ isMultiline: true }, { isList: true }]) {
    expect(isCut(15, rules)).toBe(true)
    expect(isCut(17.5, rules)).toBe(true)
    expect(isCut(17.6, rules)).toBe(false)
  }
  expect(isCut(15, {})).toBe(false)
  // Above the first line there is room.
  const low = [aRun({ above: 12 }), aRun({ above: -3 })]
  expect(isRead(low, { isMultiline: true }, 30)).toBe(true)
  expect(isRead(low, { isMultiline: true }, 60)).toBe(false)
  expect(isCut(15, { isMultiline: true }, 12.1)).toBe(false)
  expect(isCut(15, { isMultiline: true, ...signed(aRun({ size: 12.1 })) }, 12.1)).toBe(true)
})

describe('text of a field: letters beside each other', () => {
  test('have about one size and colour', () => {
    const beside = (changes: Partial<Run>) => isRead([aRun({}), aRun({ at: 20, ...changes })])
    expect(beside({ size: 12.5 })).toBe(true)
    expect(beside({ size: 12.6 })).toBe(false)
    expect(beside({ lightness: 0.3 })).toBe(true)
    expect(beside({ lightness: 0.31 })).toBe(false)
  })

  test('follow the ones before', () => {
    // The letters before end at 12.5 at least, and at 23 at most.
    expect(isRead([aRun({}), aRun({ at: 9.5 })])).toBe(true)
    expect(isRead([aRun({}), aRun({ at: 9.4 })])).toBe(false)
    // The foot of the second ones is cut off, that of the first ones is not.
    expect(isRead([aRun({ above: -2 }), aRun({ above: -2, at: 20 })])).toBe(true)
    expect(isRead([aRun({ above: -2 }), aRun({ above: -3, at: 20 })])).toBe(false)
    const long = aRun({ letters: 30 })
    expect(isRead([long, aRun({ at: 232 })])).toBe(true)
    expect(isRead([long, aRun({ at: 232.1 })])).toBe(false)
  })
})

describe('areas and lines of a field', () => {
  const text = aRun({ lightness: 0 })

  test('a picture, and an area that is none of the field, hide something', () => {
    const whole = boxOf(0, 0, 100, 20)
    expect(isRead([plainPaint('picture', whole, EVERYWHERE), text])).toBe(false)
    expect(isRead([area(whole, { lightness: 1 }), text])).toBe(false)
    expect(isRead([area(whole, { lightness: 1 }), text], { hasColours: true })).toBe(true)
    expect(isRead([text, area(whole, { lightness: 1 })], { hasColours: true })).toBe(false)
    const inner = area(boxOf(20, 0, 100, 20), { lightness: 1 })
    expect(isRead([inner, text], { hasColours: true })).toBe(false)
  })

  test('an area that was there when it was signed stays', () => {
    const old = area(boxOf(20, 5, 60, 15), { lightness: 1 })
    expect(isRead([old, text], signed(old))).toBe(true)
    expect(isRead([area(boxOf(21, 5, 60, 15), { lightness: 1 }), text], signed(old))).toBe(false)
    const ground = area(boxOf(0, 0, 100, 20), { lightness: 0.9 })
    const other = { ...ground, lightness: 1 }
    expect(isRead([other, text], signed(ground))).toBe(true)
    expect(isRead([other, text], signed({ ...ground, isOpaque: false }))).toBe(false)
    expect(isRead([other, text], { ...signed(old), hasColours: true })).toBe(false)
  })

  test('letters differ from the ground behind them', () => {
    const ground = (lightness: number | undefined) => area(boxOf(0, 0, 100, 20), { lightness })
    const rules = { hasColours: true }
    expect(isRead([ground(0), text], rules)).toBe(false)
    expect(isRead([ground(0), aRun({ lightness: 1 })], rules)).toBe(true)
    expect(isRead([ground(undefined), text], rules)).toBe(false)
    expect(isRead([ground(0), ground(1), text], rules)).toBe(true)
    expect(isRead([ground(1), ground(0), text], rules)).toBe(false)
  })

  test('only the ground behind the letters counts', () => {
    const isReadOn = (box: Box) => isRead([area(box), text], signed(area(box)))
    for (const box of [boxOf(14.5, 0, 60, 20), boxOf(0, 0, 2, 20)])
      expect(isReadOn(box)).toBe(false)
    for (const box of [boxOf(0, 7.5, 60, 20), boxOf(0, 0, 60, 7.5)])
      expect(isReadOn(box)).toBe(false)
    for (const box of [boxOf(14.6, 0, 60, 20), boxOf(0, 0, 1.9, 20)])
      expect(isReadOn(box)).toBe(true)
    for (const box of [boxOf(0, 7.6, 60, 20), boxOf(0, 0, 60, 7.4)])
      expect(isReadOn(box)).toBe(true)
  })

  test('the edge of the field is a line along it', () => {
    const edge = area(boxOf(0, 0, 100, 1))
    expect(isRead([edge, text])).toBe(true)
    expect(isRead([text, edge])).toBe(true)
    expect(isRead([line(50), text])).toBe(false)
    expect(isRead([line(50), text], signed(line(50)))).toBe(true)
  })

  test('the chosen item of a list has a ground of its height', () => {
    const rules = { isList: true }
    const white = aRun({ lightness: 1 })
    expect(read([area(boxOf(0, 2, 100, 18)), white], rules)).toMatchObject([{ isMarked: true }])
    for (const box of [boxOf(0, 7.5, 100, 18), boxOf(12, 2, 100, 10), boxOf(0, -1, 100, 19)])
      expect(isRead([area(box), white], rules)).toBe(true)
    for (const box of [boxOf(0, 7.6, 100, 18), boxOf(0, 2, 100, 9.9), boxOf(12.1, 2, 100, 18)])
      expect(isRead([area(box), white], rules)).toBe(false)
    expect(isRead([area(boxOf(0, 7.6, 100, 18), { lightness: 1 }), text], rules)).toBe(false)
    expect(isRead([area(boxOf(0, -1, 100, 20), { lightness: 0 }), white], rules)).toBe(false)
    expect(isRead([area(boxOf(0, 2, 100, 18)), white])).toBe(false)
  })

  test('a line parts cells of a letter each, and no letter stands where they meet', () => {
    const cells = { cells: 4 }
    const letter = (at: number) => aRun({ letters: 1, at, text: '1' })
    expect(isRead([line(25), letter(10)], cells)).toBe(true)
    expect(isRead([line(25), letter(10)])).toBe(false)
    expect(isRead([line(26.9), letter(10)], cells)).toBe(true)
    expect(isRead([line(27.1), letter(10)], cells)).toBe(false)
    expect(isRead([line(25, {}, 0, 14), letter(10)], cells)).toBe(true)
    expect(isRead([line(25, {}, 0, 13.9), letter(10)], cells)).toBe(false)
    expect(isRead([line(25, { lineWidth: 2 }), letter(10)], cells)).toBe(true)
    expect(isRead([line(25, { lineWidth: 2.1 }), letter(10)], cells)).toBe(false)
    expect(isRead([letter(10), line(25, { lightness: 0.6 })], cells)).toBe(true)
    expect(isRead([letter(10), line(25, { lightness: 0.61 })], cells)).toBe(false)
    const leaning = (by: number) => {
      const segments = [
        [
          [0, 0],
          [by, 20],
        ],
      ] as const
      return line(0, { segments, box: boxOf(0, 0, by, 20) })
    }
    expect(isRead([leaning(0.09), letter(10)], cells)).toBe(true)
    expect(isRead([leaning(0.1), letter(10)], cells)).toBe(false)
    const five = line(25, { segments: Array(5).fill(line(25).segments[0]) })
    expect(isRead([five, letter(10)], cells)).toBe(false)
    expect(isRead([line(25, { curves: [boxOf(25, 0, 25, 9)] }), letter(10)], cells)).toBe(false)
    // The middle of the letter is 2.5 behind its beginning.
    expect(isRead([letter(22.5)], cells)).toBe(false)
    expect(isRead([letter(26)], cells)).toBe(false)
    expect(isRead([letter(26.3)], cells)).toBe(true)
    expect(isRead([letter(22.5)])).toBe(true)
    expect(isRead([aRun({ letters: 2, at: 20 })], cells)).toBe(true)
  })

  test('are at most 200, and the pieces of a text 5,000', () => {
    const edge = area(boxOf(0, 0, 100, 1))
    expect(isRead([...Array(200).fill(edge), text])).toBe(true)
    expect(isRead([...Array(201).fill(edge), text])).toBe(false)
    const empty = { ...text, leastEnd: 2.2, mostEnd: 2.5, likelyEnd: 2.5, letters: 0.1, size: 10 }
    expect(isRead(Array(5_000).fill(empty))).toBe(true)
    expect(isRead(Array(5_001).fill(empty))).toBe(false)
  })
})
