import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { PdfError } from '#server/domain/pdf/error.ts'
import { glyphBounds } from '#server/domain/pdf/outlines/glyph-bounds.ts'
import { readTrueType } from '#server/domain/pdf/true-type.ts'
import { fontFileOf, type Table, words } from '#tests/support/pdf/font-file.ts'
import { FONT_FILE, fontWith } from '#tests/support/pdf/giant-font.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const font = new Uint8Array(readFileSync(FONT_FILE))

test('bounds of letters: within what an honest font states, and as large as its letters', () => {
  const { box, unitsPerEm, ascent } = readTrueType(font)
  const { left, bottom, right, top } = glyphBounds(font)!
  const [low, high] = [
    [left, bottom],
    [right, top],
  ].map((corner) => corner.map((value) => value * unitsPerEm))
  expect(low!.every((value, side) => value >= box[side]!)).toBe(true)
  expect(high!.every((value, side) => value <= box[side + 2]!)).toBe(true)
  expect(top * unitsPerEm).toBeGreaterThan(ascent * 0.9)
})

test('bounds of letters: found by the outlines, whatever the font states', () => {
  expect(glyphBounds(bytesOf(fontWith('—', 16).program))!.right).toBeGreaterThan(40)
})

test.each([
  ['no font', new Uint8Array(9)],
  ['a font that is cut off', font.subarray(0, 15_000)],
])('bounds of letters: unknown for %s', (_, bytes) => {
  expect(glyphBounds(bytes)).toBeUndefined()
})

/** Of each glyph: its width, and where its left edge is drawn. */
const placed = (...bearings: readonly number[]): Table[] => [
  ['hhea', words(...Array(17).fill(0), bearings.length)],
  ['hmtx', bearings.map((bearing) => words(600, bearing)).join('')],
]
const PLACED = placed(0)

/** A font of 1000 units to the em. */
function outlines(
  glyphs: readonly string[],
  offsets?: readonly number[],
  metrics: readonly Table[] = [PLACED[0]!, ['hmtx', words(600, ...glyphs.map(() => 0))]],
) {
  let end = 0
  const places = offsets ?? [0, ...glyphs.map((glyph) => (end += glyph.length))]
  const long = places.map((place) => words(place >>> 16, place)).join('')
  return bytesOf(
    fontFileOf([
      ['glyf', glyphs.join('')],
      ['head', words(...Array(9).fill(0), 1000, ...Array(15).fill(0), 1)],
      ...metrics,
      ['loca', long],
      ['maxp', words(0, 1, places.length - 1)],
    ]),
  )
}
const [HERE_X, HERE_Y, REPEATED] = [16, 32, 8]
/** All points at one place, which only their flags need bytes for. */
const repeating = (points: number) =>
  words(1, 0, 0, 0, 0, points - 1, 0) +
  String.fromCharCode(HERE_X | HERE_Y | REPEATED, 255).repeat(points / 256)
const [IS_PLACE, HAS_SCALE, IS_SCALED_PLACE] = [2, 8, 0x800]
const composite = (flags: number, glyph = 0) =>
  words(-1, 0, 0, 0, 0, flags, glyph) +
  String.fromCharCode(9, 9) +
  (flags & HAS_SCALE ? words(1) : '')
const POINT = words(1, 0, 0, 0, 0, 0, 0) + String.fromCharCode(HERE_X | HERE_Y, 0)

test('bounds of letters: known for few points and for glyphs made of others', () => {
  expect(glyphBounds(outlines([repeating(65_536)]))).toBeDefined()
  expect(glyphBounds(outlines([POINT, composite(IS_PLACE)]))).toMatchObject({ right: 0.009 })
  expect(glyphBounds(outlines([POINT, composite(IS_PLACE | HAS_SCALE)]))).toBeDefined()
})

test('bounds of letters: a component without a scale stands in its place, even if this were to be scaled', () => {
  const plain = outlines([POINT, composite(IS_PLACE | IS_SCALED_PLACE)])
  expect(glyphBounds(plain)).toMatchObject({ right: 0.009 })
})

const [LENDS_METRICS, LEFT_EDGE] = [0x200, 300]
/** From 0 to 0, though its header states another left edge. */
const MISPLACED = words(1, LEFT_EDGE, 0, 0, 0, 0, 0) + String.fromCharCode(HERE_X | HERE_Y, 0)

test.each([
  ['to the right', outlines([POINT], undefined, placed(2000)), { left: 0, right: 2 }],
  ['to the left', outlines([POINT], undefined, placed(-2000)), { left: -2, right: 0 }],
  [
    'away from the edge that it states',
    outlines([MISPLACED], undefined, placed(0)),
    { left: -0.3, right: 0 },
  ],
  [
    'that is in the list without widths',
    outlines([POINT, POINT], undefined, [PLACED[0]!, ['hmtx', words(600, 0, 2000)]]),
    { right: 2 },
  ],
  [
    'by its own side bearing, though it is made of others',
    outlines([POINT, composite(IS_PLACE)], undefined, placed(0, 2000)),
    { right: 2.009 },
  ],
  [
    'by that of a component',
    outlines([POINT, composite(IS_PLACE | LENDS_METRICS)], undefined, placed(3000, 0)),
    { right: 3.009 },
  ],
  [
    'by that of a component of a component',
    outlines(
      [POINT, composite(IS_PLACE | LENDS_METRICS), composite(IS_PLACE | LENDS_METRICS, 1)],
      undefined,
      placed(3000, 0, 0),
    ),
    { right: 3.018 },
  ],
])('bounds of letters: where readers move a glyph %s', (_, bytes, bounds) => {
  expect(glyphBounds(bytes)).toMatchObject(bounds)
})

test.each([
  ['without side bearings', []],
  ['with too few of them', [PLACED[0]!, ['hmtx', words(600)]] as Table[]],
  ['with no width', [['hhea', words(...Array(18).fill(0))], PLACED[1]!] as Table[]],
])('bounds of letters: unknown for a font %s', (_, metrics) => {
  expect(glyphBounds(outlines([POINT], undefined, metrics))).toBeUndefined()
})

test.each([
  ['too many points', outlines(Array(100).fill(repeating(65_536)))],
  [
    'too many components',
    outlines([POINT, words(-1, 0, 0, 0, 0) + `${words(34, 0)}\0\0`.repeat(1e6) + words(2, 0, 0)]),
  ],
  ['glyphs that overlap', outlines([POINT], [0, 16, 0, 16])],
  ['a place that is scaled', outlines([POINT, composite(IS_PLACE | HAS_SCALE | IS_SCALED_PLACE)])],
])('bounds of letters: unknown for %s', (_, bytes) => {
  expect(glyphBounds(bytes)).toBeUndefined()
})

/** What the measuring of a font spends. */
function spentOn(program: Uint8Array): number {
  let spent = 0
  glyphBounds(program, { spend: (bytes) => (spent += bytes) })
  return spent
}

test('bounds of letters: cost as much as the font has points, components and glyphs', () => {
  expect(spentOn(outlines([repeating(65_536)]))).toBeGreaterThan(65_536)
  expect(spentOn(outlines(Array(20_000).fill('')))).toBeGreaterThan(20_000)
  const components = `${words(34, 0)}\0\0`.repeat(1000) + words(2, 0, 0)
  expect(spentOn(outlines([POINT, words(-1, 0, 0, 0, 0) + components]))).toBeGreaterThan(10_000)
  expect(spentOn(font)).toBeLessThan(4 * font.length)
})

test('bounds of letters: not computed for a file that has no allowance left', () => {
  const spend = () => {
    throw new PdfError('too-complex', 'no allowance')
  }
  expect(() => glyphBounds(outlines([POINT]), { spend })).toThrow(PdfError)
})
