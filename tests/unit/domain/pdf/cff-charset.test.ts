import { expect, test } from 'vitest'
import { workMeter } from '#server/domain/pdf/limits.ts'
import { glyphDensities } from '#server/domain/pdf/outlines/glyph-densities.ts'
import { winAnsiName } from '#server/domain/pdf/win-ansi-names.ts'
import { cffWith, square } from '#tests/support/pdf/cff-font.ts'
import { words } from '#tests/support/pdf/font-file.ts'
import { bytesOf } from '#tests/support/pdf/pdf-builders.ts'

const EMPTY = square(0)
const namesIn = (charset: string | undefined, strings: readonly string[] = [], count = 4) => {
  const glyphs = Array.from({ length: count }, () => EMPTY)
  const program = bytesOf(cffWith(glyphs, { ...(charset && { charset }), strings }))
  const found = glyphDensities(program, workMeter(program.length)).byName()
  return found && Object.fromEntries(found)
}

test.each([
  ['each by itself', `\0${words(34, 391, 200)}`, { A: 1, ours: 2, aacute: 3 }],
  ['in ranges of up to 256', `\u0001${words(34)}\u0001${words(228)}\0`, { A: 1, B: 2, zcaron: 3 }],
  ['in longer ranges', `\u0002${words(34, 2)}`, { A: 1, B: 2, C: 3 }],
  ['as every reader has them', undefined, { space: 1, exclam: 2, quotedbl: 3 }],
])('names of glyphs: written %s, lead to the glyphs', (_, charset, glyphs) => {
  expect(namesIn(charset, ['ours'])).toEqual(glyphs)
})

test.each([
  ['a number twice', `\0${words(34, 34, 35)}`, []],
  ['a name of its own that is a standard one', `\0${words(34, 391, 35)}`, ['A']],
])('names of glyphs: %s leads to none', (_, charset, strings) => {
  expect(namesIn(charset, strings)).toEqual({ B: 3 })
})

test.each([
  ['a list that is too short', `\0${words(34)}`],
  ['a range of more glyphs than there are', `\u0001${words(34)}\u0009`],
  ['a list of an unknown kind', `\u0003${words(34, 2)}`],
  ['a name that is not there', `\0${words(34, 391, 35)}`],
])('names of glyphs: %s is not read', (_, charset) => {
  expect(namesIn(charset)).toBeUndefined()
})

test('WinAnsiEncoding: codes have the names of their letters', () => {
  expect(
    ['A', "'", '`', '~', 'ñ', 'Á', 'ÿ', '×'].map((one) => winAnsiName(one.charCodeAt(0))),
  ).toEqual([
    'A',
    'quotesingle',
    'grave',
    'asciitilde',
    'ntilde',
    'Aacute',
    'ydieresis',
    'multiply',
  ])
  expect([0x95, 0x9e, 0x7f, 0x81].map(winAnsiName)).toEqual([
    'bullet',
    'zcaron',
    undefined,
    undefined,
  ])
})
