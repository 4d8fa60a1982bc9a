import { expect, test } from 'vitest'
import { asciiFileName, plainFileName } from '#server/domain/text/file-names.ts'

test.each([
  ['Poder “general” de Ñúñez & Cía 100%.pdf', 'Poder _general_ de Nunez & Cia 100_.pdf'],
  ['a"b\\c.pdf', 'a_b_c.pdf'],
])('file name %j as ASCII: %j', (name, plain) => expect(asciiFileName(name)).toBe(plain))

test.each([
  ['Poder: Ñúñez/López · 1.pdf', 'Poder- Ñúñez-López · 1.pdf'],
  ['..\\..\\a|b?c*<d>".pdf', '..-..-a-b-c--d--.pdf'],
  ['N\u0303andu.pdf', 'Ñandu.pdf'],
])('file name %j for every system: %j', (name, plain) => expect(plainFileName(name)).toBe(plain))
