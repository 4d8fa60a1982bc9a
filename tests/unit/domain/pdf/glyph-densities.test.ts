import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { workMeter } from '#server/domain/pdf/limits.ts'
import { WINDOWS } from '#server/domain/pdf/outlines/densest-part.ts'
import { glyphDensities } from '#server/domain/pdf/outlines/glyph-densities.ts'
import { readTrueType } from '#server/domain/pdf/true-type.ts'
import { cffWith, charString, END_CHAR, R_MOVE_TO, square } from '#tests/support/pdf/cff-font.ts'
import { words } from '#tests/support/pdf/font-file.ts'
import { FONT_FILE } from '#tests/support/pdf/giant-font.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'
import { bar, outlineOf, trueTypeWith } from '#tests/support/pdf/true-type-font.ts'

const densities = (program: Uint8Array) => glyphDensities(program, workMeter(program.length))
const widest = (glyph: string) =>
  densities(bytesOf(trueTypeWith([glyph])))
    .of(0)
    ?.at(-1)
const rectangle = (left: number, right: number, low = 0, high = 600) =>
  [
    [left, low],
    [right, low],
    [right, high],
    [left, high],
  ] as const

test('densities of letters: those of a bold font are below a block in a window as large as a letter', () => {
  const file = new Uint8Array(readFileSync(FONT_FILE))
  const { glyphs } = readTrueType(file)
  const { of, all } = densities(file)
  const shares = [...'BMWRK@8'].map((letter) => of(glyphs.get(letter.codePointAt(0)!)!.id)!.at(-1)!)
  expect(Math.min(...shares)).toBeGreaterThan(0.3)
  expect(Math.max(...shares)).toBeLessThan(0.62)
  expect(all()!.at(-1)).toBeLessThan(0.62)
})

test.each([
  ['TrueType', trueTypeWith([bar(0, 0), bar(700, 700)])],
  ['the Compact Font Format', cffWith([square(0), square(700)])],
])('densities of letters: a block of %s fills every window, an empty glyph none', (_, program) => {
  const { of, all } = densities(bytesOf(program))
  expect(of(0)).toEqual(WINDOWS.map(() => 0))
  for (const share of [...of(1)!, ...all()!]) expect(share).toBeCloseTo(1)
})

test.each([
  ['a bar', bar(150, 700), 0.25],
  ['a block as small as a dot', bar(150, 150), 1 / 16],
  ['a block with a speck far away', outlineOf([rectangle(0, 600), rectangle(2900, 2910)]), 1],
  [
    'two halves in two directions',
    outlineOf([rectangle(0, 300), rectangle(300, 600).toReversed()]),
    1,
  ],
  ['a frame', outlineOf([rectangle(0, 600), rectangle(100, 500, 100, 500).toReversed()]), 5 / 9],
  ['a hole that is filled', outlineOf([rectangle(0, 600), rectangle(100, 500, 100, 500)]), 1],
  [
    'edges that cross in every row',
    outlineOf(
      Array.from({ length: 12 }, (_, row) => [
        [0, 50 * row],
        [600, 50 * row],
        [0, 50 * row + 50],
        [600, 50 * row + 50],
      ]),
    ),
    1,
  ],
])('densities of letters: %s, as its outline is filled', (_, glyph, share) => {
  expect(widest(glyph)).toBeCloseTo(share, 2)
})

test('densities of letters: curves are round', () => {
  expect(widest(outlineOf([rectangle(0, 600)], false))).toBeCloseTo(5 / 6, 1)
  const [curve, side] = [8, 300]
  const round = [
    charString([side, 0], R_MOVE_TO),
    charString([166, 0, 134, 134, 0, 166], curve),
    charString([0, 166, -134, 134, -166, 0], curve),
    charString([-166, 0, -134, -134, 0, -166], curve),
    charString([0, -166, 134, -134, 166, 0], curve),
    charString([], END_CHAR),
  ].join('')
  expect(
    densities(bytesOf(cffWith([round])))
      .of(0)!
      .at(-1),
  ).toBeCloseTo(Math.PI / 4, 1)
})

const PLACED_WORDS = 3
const made = (glyph: number, x: number) => words(-1, 0, 0, 0, 0, PLACED_WORDS, glyph, x, 0)

test('densities of letters: a glyph that is made of others fills what they fill', () => {
  const halves = words(-1, 0, 0, 0, 0, PLACED_WORDS | 32, 0, 0, 0, PLACED_WORDS, 0, 300, 0)
  const { of } = densities(bytesOf(trueTypeWith([bar(300, 600), made(0, 300), halves])))
  expect(of(1)!.at(-1)).toBeCloseTo(0.5)
  expect(of(2)!.at(-1)).toBeCloseTo(1)
})

test.each([
  ['larger than letters are', bar(30_000, 30_000)],
  ['made of itself', made(0, 0)],
  ['cut off', bar(300, 300).slice(0, 20)],
])('densities of letters: unknown for a glyph that is %s', (_, glyph) => {
  const { of, all } = densities(bytesOf(trueTypeWith([glyph])))
  expect(of(0)).toBeUndefined()
  expect(all()).toBeUndefined()
})

test('densities of letters: unknown for a font that costs too much, and for no font', () => {
  const comb = outlineOf(Array.from({ length: 1500 }, (_, at) => rectangle(at, at + 1, at % 50)))
  expect(densities(bytesOf(trueTypeWith(Array(40).fill(comb)))).all()).toBeUndefined()
  expect(densities(new Uint8Array(9)).all()).toBeUndefined()
})
