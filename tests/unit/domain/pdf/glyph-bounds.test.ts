import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { glyphBounds } from '#server/domain/pdf/glyph-bounds.ts'
import { readTrueType } from '#server/domain/pdf/true-type.ts'
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
