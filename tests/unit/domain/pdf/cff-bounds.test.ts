import { expect, test } from 'vitest'
import { glyphBounds } from '#server/domain/pdf/outlines/glyph-bounds.ts'
import {
  CALL_GLOBAL_SUBR,
  CALL_SUBR,
  cffWith,
  charString,
  END_CHAR,
  entry,
  R_LINE_TO,
  R_MOVE_TO,
  real,
  square,
} from '#tests/support/pdf/cff-font.ts'
import { fontFileOf, words } from '#tests/support/pdf/font-file.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const boundsOf = (program: string) => glyphBounds(bytesOf(program))
const START = charString([0, 0], R_MOVE_TO)
const END = charString([], END_CHAR)
/** A letter that these instructions draw from where it stands. */
const drawing = (...instructions: string[]) => cffWith([START + instructions.join('') + END])
const matrix = (...values: string[]) => values.map(real).join('') + String.fromCharCode(12, 7)
const LARGE = { left: 0, bottom: 0, right: 2, top: 2 }

test.each<[string, string, [number, number, number, number]]>([
  ['lines', charString([100, 200, -300, 400], R_LINE_TO), [-200, 0, 100, 600]],
  ['lines along the axes, across first', charString([100, 200, 300], 6), [0, 0, 400, 200]],
  ['lines along the axes, upwards first', charString([100, 200, 300], 7), [0, 0, 200, 400]],
  ['curves', charString([1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60], 8), [0, 0, 99, 132]],
  ['curves and a line', charString([1, 2, 3, 4, 5, 6, -100, -200], 24), [-91, -188, 9, 12]],
  ['lines and a curve', charString([-100, -200, 1, 2, 3, 4, 5, 6], 25), [-100, -200, 0, 0]],
  ['upright curves', charString([7, 1, 2, 3, 4, 10, 20, 30, 40], 26), [0, 0, 29, 88]],
  ['flat curves', charString([7, 1, 2, 3, 4, 10, 20, 30, 40], 27), [0, 0, 77, 40]],
  ['round curves, upwards first', charString([1, 2, 3, 4, 10, 20, 30, 40, 5], 30), [0, 0, 41, 74]],
  ['round curves, across first', charString([1, 2, 3, 4, 5], 31), [0, 0, 8, 7]],
  ['a flex', charString([1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 50], 12, 35), [0, 0, 6, 6]],
  ['a horizontal flex', charString([1, 2, 30, 4, 5, 6, 7], 12, 34), [0, 0, 25, 30]],
  [
    'a horizontal flex with ends',
    charString([1, 2, 3, 40, 5, 6, 7, -8, 9], 12, 36),
    [0, 0, 31, 42],
  ],
  [
    'a flex along its longer axis',
    charString([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 50], 12, 37),
    [0, 0, 25, 80],
  ],
  [
    'hints',
    [charString([1, 2], 18), charString([1, 2], 19), '\xff', charString([5, 0], R_LINE_TO)].join(
      '',
    ),
    [0, 0, 5, 0],
  ],
])('bounds of compact outlines: around %s', (_, instructions, sides) => {
  const [left, bottom, right, top] = sides.map((side) => side / 1000) as typeof sides
  const bounds = boundsOf(drawing(instructions))!
  for (const [side, value] of Object.entries({ left, bottom, right, top }))
    expect(bounds[side as keyof typeof bounds], side).toBeCloseTo(value, 9)
})

test('bounds of compact outlines: from the place that a letter moves to, beside its width', () => {
  const moved = (values: number[], operator: number) =>
    boundsOf(cffWith([charString(values, operator) + END]))
  expect(moved([9, 100, 200], R_MOVE_TO)).toMatchObject({ right: 0.1, top: 0.2 })
  expect(moved([9, 100], 22)).toMatchObject({ right: 0.1, top: 0 })
  expect(moved([100], 4)).toMatchObject({ right: 0, top: 0.1 })
})

test('bounds of compact outlines: with the subroutines that letters call', () => {
  const line = charString([100, 0], R_LINE_TO) + charString([], 11)
  const calling = START + charString([-107], CALL_SUBR) + charString([-106], CALL_GLOBAL_SUBR) + END
  const program = cffWith([calling], { subrs: [line], globalSubrs: ['', line] })
  expect(boundsOf(program)).toMatchObject({ right: 0.2 })
})

test('bounds of compact outlines: as large as the matrix makes them', () => {
  const doubled = matrix('.002', '0', '0', '2E-3', '0', '-.5')
  const glyphs = [square(1000)]
  expect(boundsOf(cffWith(glyphs, { top: doubled }))).toEqual({ ...LARGE, bottom: -0.5, top: 1.5 })
  for (const size of ['0', '1E-12', '1', '-.001']) {
    const unlikely = matrix(size, '0', '0', size, '0', '0')
    expect(boundsOf(cffWith(glyphs, { top: unlikely }))).toBeUndefined()
  }
  const identity = matrix('1', '0', '0', '1', '0', '0')
  const twice = matrix('.002', '0', '0', '.002', '0', '0')
  const parts = [twice, identity]
  for (const selection of [String.fromCharCode(0, 0), `\x03${words(1, 0)}\x00${words(1)}`]) {
    expect(boundsOf(cffWith(glyphs, { parts, selection }))).toEqual(LARGE)
    expect(boundsOf(cffWith(glyphs, { parts: [''], selection }))).toMatchObject({ right: 1 })
    expect(boundsOf(cffWith(glyphs, { top: twice, parts: [identity], selection }))).toEqual(LARGE)
    expect(boundsOf(cffWith(glyphs, { top: twice, parts: [twice], selection }))).toBeUndefined()
  }
})

/** A font file around compact outlines. */
const openType = (em: number, more: [string, string][] = []) =>
  fontFileOf(
    [
      ['CFF ', cffWith([square(1000)])],
      ['head', words(...Array(9).fill(0), em, ...Array(17).fill(0))],
      ...more,
    ],
    'OTTO',
  )

test('bounds of compact outlines: by the larger em in a font file around them', () => {
  expect(boundsOf(openType(2000))).toMatchObject({ right: 1 })
  expect(boundsOf(openType(500))).toEqual(LARGE)
})

/** Fonts of which each has the same long dictionary. */
const parted = (count: number) => {
  const own = `${'\x8b'.repeat(3500)}${String.fromCharCode(20)}`
  const parts = Array.from({ length: count }, () => '')
  return cffWith([square(9)], { parts, own, subrs: [''], selection: '\0\0' })
}

test('bounds of compact outlines: cost as much as letters and dictionaries have', () => {
  const spentOn = (program: string) => {
    let spent = 0
    glyphBounds(bytesOf(program), { spend: (bytes) => (spent += bytes) })
    return spent
  }
  const lines = drawing(charString([1, 1], R_LINE_TO).repeat(1000))
  expect(spentOn(lines)).toBeGreaterThan(3000)
  expect(spentOn(lines)).toBeLessThan(4 * lines.length)
  expect(spentOn(parted(10))).toBeGreaterThan(35_000)
  expect(spentOn(parted(20)) - spentOn(parted(10))).toBeGreaterThan(35_000)
  const ranges = Array.from({ length: 500 }, (_, at) => `${words(at)}\0`).join('')
  const selection = `\x03${words(500)}${ranges}${words(500)}`
  const selected = cffWith(Array(500).fill(square(9)), { parts: [''], selection })
  const unselected = cffWith(Array(500).fill(square(9)), {
    parts: [''],
    selection: '\0'.repeat(501),
  })
  expect(spentOn(selected)).toBeGreaterThan(spentOn(unselected) + 400)
})

const call = charString([-107], CALL_SUBR)
/** Each calls the next one ten times. */
const calls = Array.from({ length: 9 }, (_, at) => charString([at - 106], CALL_SUBR).repeat(10))

test.each([
  ['outlines of two kinds', openType(1000, [['glyf', '']])],
  ['a font file without an em', openType(0)],
  ['operands that are computed', drawing(charString([1, 2], 12, 10), charString([1], R_LINE_TO))],
  ['an unknown operator', drawing(charString([], 9))],
  ['a letter made of two others', cffWith([START + charString([0, 0, 65, 66], END_CHAR)])],
  ['operands too few', drawing(charString([1], R_LINE_TO))],
  ['operands too many', drawing(charString([1, 2, 3], R_MOVE_TO))],
  ['a line without a start', cffWith([charString([1, 2], R_LINE_TO) + END])],
  ['more operands than there may be', drawing(charString(Array(50).fill(1), R_LINE_TO))],
  ['a subroutine that is not there', drawing(call)],
  ['a subroutine that calls itself', cffWith([START + call + END], { subrs: [call] })],
  [
    'letters that take too long',
    cffWith(Array(10).fill(START + call + END), { subrs: [...calls, ''] }),
  ],
  ['letters of another type', cffWith([square(9)], { top: entry([1], 12, 6) })],
  ['letters of two types', cffWith([square(9)], { top: entry([2, 1], 12, 6) })],
  [
    'a place that is no whole number',
    cffWith([square(9)], { top: `${entry([0])}${real('9.5')}${String.fromCharCode(18)}` }),
  ],
  ['an entry that is there twice', cffWith([square(9)], { top: entry([1], 4) + entry([2], 4) })],
  ['a matrix of too few numbers', cffWith([square(9)], { top: matrix('1') })],
  ['a number that is none', cffWith([square(9)], { top: matrix('..', '0', '0', '1', '0', '0') })],
  [
    'a number of very many digits',
    cffWith([square(9)], { top: matrix(`.001${'0'.repeat(99)}`, '0', '0', '.001', '0', '0') }),
  ],
  ['dictionaries that take too long', parted(4000)],
  [
    'a glyph of no font',
    cffWith([square(9)], { parts: [''], selection: String.fromCharCode(0, 1) }),
  ],
  [
    'a selection with a gap',
    cffWith([square(9)], { parts: [''], selection: `\x03${words(1, 1)}\x00${words(2)}` }),
  ],
  ['an unknown selection', cffWith([square(9)], { parts: [''], selection: '\x04' })],
  [
    'a font that is cut off',
    cffWith([square(9)])
      .slice(0, -1)
      .replace(/..$/, ''),
  ],
])('bounds of compact outlines: unknown for %s', (_, program) => {
  expect(boundsOf(program)).toBeUndefined()
})
