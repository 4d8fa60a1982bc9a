import { expect, test } from 'vitest'
import {
  fieldLabel,
  foreignText,
  shownLines,
  shownText,
  visibleJson,
} from '#server/domain/text/shown-text.ts'

test.each([
  ['an override of direction', 'JUAN\u202e ZEREP', 'JUAN ZEREP'],
  ['isolates and embeddings', '\u2066a\u2067b\u2068c\u2069\u202ad\u202be\u202cf\u202dg', 'abcdefg'],
  ['marks of direction', 'a\u200e\u200f\u061cb', 'ab'],
  ['zero-width spaces and joiners', 'S\u200bA\u200cT\u200d\u2060\ufeff', 'SAT'],
  ['a soft hyphen', 'no\u00adtario', 'notario'],
  ['tags', 'SAT\u{e0001}\u{e0041}\u{e007f}', 'SAT'],
  ['variation selectors', 'a\ufe0f\u{e0100}b\u180b', 'ab'],
  ['letters without a picture', 'a\u3164\u115f\u1160\uffa0\u034f\u2800b', 'ab'],
  ['controls', 'a\u0000b\u0007c\u007fd\u009be', 'a b c d e'],
  ['an escape sequence of a terminal', '\u001b[2J\u001b]0;title\u0007x', '[2J ]0;title x'],
  ['line ends', 'Juan\r\nFirma válida\u2028\u2029\u0085SAT', 'Juan Firma válida SAT'],
  ['any blank', '\u00a0a\u2003\u3000\u202f\t b ', 'a b'],
  ['half a character', 'a\ud800b\udc00', 'a\ufffdb\ufffd'],
  ['private and unassigned characters', 'a\ue000\u{10ffff}', 'a\ufffd\ufffd'],
  ['a run of combining marks', `Z${'\u0335\u0300'.repeat(40)}a`, 'Z\u0335\u0335\u0335a'],
  ['a mark at the beginning', '\u0338\u20ddJuan', 'Juan'],
])('shown text: removes %s', (_, text, shown) => {
  expect(shownText(text)).toBe(shown)
  expect(shownText(shown)).toBe(shown)
})

test.each([
  'Begoña Peñaloza Yáñez',
  'Đặng Thị Mỹ',
  'O’Brien & Söhne, S.A. de C.V.',
  'שלום',
  '👍 日本',
])('shown text: leaves %s as it is', (text) => {
  expect(shownText(text)).toBe(text)
  expect(shownText(text.normalize('NFD'))).toBe(text)
})

test('shown text: ends a text above the limit with an ellipsis, and splits no character', () => {
  expect(shownText('abcdef', 6)).toBe('abcdef')
  expect(shownText('abcdefg', 6)).toBe('abcde…')
  expect(shownText('😀😀😀', 6)).toBe('😀😀😀')
  expect(shownText('😀😀😀😀', 6)).toBe('😀😀…')
  expect(shownText('abcd  efgh', 6)).toBe('abcd…')
  expect(shownText('\u200b'.repeat(100_000) + 'a'.repeat(100_000))).toHaveLength(300)
})

test('shown lines: keeps line ends and nothing else that controls', () => {
  expect(shownLines('a\r\n\u001b[1mb\u202e\n\nc \u2028d')).toBe('a\n [1mb\n\nc\nd')
})

test('foreign text: two signs for "less" with an invisible character between are no quote either', () => {
  expect(foreignText('a<\u200b<b')).toBe('a‘b')
})

test('field label: names that differ in what is taken out stay different', () => {
  expect(fieldLabel('Firma\u200b1')).toBe('Firma·1')
  expect(fieldLabel('Firma1\n')).toBe('Firma1·')
  expect(fieldLabel('”\u202e')).toBe('’·')
  expect(fieldLabel('')).toBe('')
})

test('visible JSON: has no unseen character, and reads as the same value', () => {
  const value = { name: 'a\u202e\u001b[2J\u009b\u{e0041}\u2028»\ud800', list: ['á', 1, null] }
  const json = visibleJson(value, 2)
  expect(json).toMatch(/^[ -~á»\n]*$/)
  expect(JSON.parse(json)).toEqual(value)
})
