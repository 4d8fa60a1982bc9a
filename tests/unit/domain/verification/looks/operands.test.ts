import { expect, test } from 'vitest'
import { array, byteString, dictionary, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { hasItsOperands, isOperator } from '#server/domain/verification/looks/operands.ts'

const [NAME, TEXT, DICTIONARY] = [name('a'), byteString(new Uint8Array()), dictionary({})]
const LARGEST = 2 ** 31 - 1

const takes = (operator: string, ...operands: PdfObject[]) =>
  hasItsOperands({ operator, operands, end: 0 })

test.each<[string, ...PdfObject[]]>([
  ['Q'],
  ['w', 1],
  ['Td', 1, LARGEST],
  ['rg', 0, 0, 0],
  ['re', 0, 0, 9, 9],
  ['cm', 1, 0, 0, 1, 0, 0],
  ['Do', NAME],
  ['Tf', NAME, 9],
  ['BDC', NAME, NAME],
  ['BDC', NAME, DICTIONARY],
  ['d', array([1, 2]), 0],
  ['Tj', TEXT],
  ['"', 1, 2, TEXT],
  ['TJ', array([TEXT, -20, TEXT])],
  ['sc', 0.5],
  ['scn', 0, 0, 0, 1],
  ['SCN', 0.5, NAME],
  ['scn', NAME],
])('instruction: %s has its operands, and neither more nor fewer', (operator, ...operands) => {
  expect(isOperator(operator)).toBe(true)
  expect(takes(operator, ...operands)).toBe(true)
  expect(takes(operator, ...operands.slice(0, -1), TEXT, TEXT)).toBe(false)
  if (!/^sc/i.test(operator)) expect(takes(operator, 1, ...operands)).toBe(false)
  if (operands.length > 0) expect(takes(operator)).toBe(false)
})

test.each<[string, ...PdfObject[]]>([
  ['w', NAME],
  ['Td', 1, LARGEST + 1],
  ['Do', TEXT],
  ['Tf', 9, NAME],
  ['BDC', NAME, 1],
  ['BDC', NAME, null],
  ['d', array([NAME]), 0],
  ['d', 1, 0],
  ['Tj', array([TEXT])],
  ['TJ', TEXT],
  ['TJ', array([TEXT, DICTIONARY])],
  ['sc', TEXT],
  ['scn', NAME, NAME],
  ['scn', NAME, 0.5],
])('instruction: %s does not take other ones', (operator, ...operands) => {
  expect(takes(operator, ...operands)).toBe(false)
})

test('instruction: one that the standard does not have takes any', () => {
  expect(['QQ', 'toString', ''].map(isOperator)).toEqual([false, false, false])
  expect(takes('QQ', 1, NAME)).toBe(true)
})
