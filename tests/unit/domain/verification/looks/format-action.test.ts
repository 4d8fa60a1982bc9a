import { describe, expect, test } from 'vitest'
import { isFormatted } from '#server/domain/verification/looks/format-action.ts'

describe('an amount that a script writes out', () => {
  test.each([
    [0, '1,234.50'],
    [1, '1234.50'],
    [2, '1.234,50'],
    [3, '1234,50'],
    [4, "1'234.50"],
  ])('has the separators of style %i: %s', (style, written) => {
    const isShown = (shown: string) => isFormatted(`AFNumber_Format(2, ${style})`, '1234.5', shown)
    expect(isShown(written)).toBe(true)
    for (const other of ['1,234.50', '1.234,50', "1'234.50"])
      if (other !== written) expect(isShown(other)).toBe(false)
    expect(isShown(written.replace('5', '6'))).toBe(false)
    expect(isShown(written.replace('2', '22'))).toBe(false)
  })
})

test('an amount that a script writes out: has its thousands in groups of three', () => {
  const isShown = (shown: string) => isFormatted('AFNumber_Format(2, 0)', '1234567.5', shown)
  expect(['1,234,567.50', '1234567.50'].map(isShown)).toEqual([true, true])
  for (const other of ['12,345,67.50', '1,2345,67.50', '1,234567.50', '1234,567.50', ',1234567.50'])
    expect(isShown(other)).toBe(false)
  for (const other of ['1,234,567.5', '1,234,567', '1,234,567.50.00', '1,234,567.5,0', 'x', ''])
    expect(isShown(other)).toBe(false)
  expect(isFormatted('AFNumber_Format(2, 0)', '999.5', '999.50')).toBe(true)
  expect(isFormatted('AFNumber_Format(2, 0)', '', '')).toBe(true)
})

test('a postcode or telephone number that a script writes out: has its digits, and no letters', () => {
  const isShown = (shown: string) => isFormatted('AFSpecial_Format(2)', '5512345678', shown)
  expect(isShown('(551) 234-5678')).toBe(true)
  expect(isShown('(551) 234-5679')).toBe(false)
  expect(isShown('(551) 234-5678 x')).toBe(false)
})

describe('signs of an amount', () => {
  const isShown = (shown: string, value = '1000', currency = '$') =>
    isFormatted(`AFNumber_Format(0, 1, 0, 0, "${currency}", true)`, value, shown)

  test.each<[string, string?, string?]>([
    ['1000', '1000'],
    ['1000', ' 1000 '],
    ['$1000', '1000'],
    ['$ 1000', '1000'],
    ['1000 $', '1000'],
    ['-$1000', '-1000'],
    ['$-1000', '-1000'],
    ['−1000', '-1000'],
    ['($1000)', '-1000'],
    ['$(1000)', '-1000'],
    ['S/.1000', '1000', 'S/.'],
    ['1000 kr.', '1000', 'kr.'],
  ])('stand before or behind it: %s', (shown, value, currency) => {
    expect(isShown(shown, value, currency)).toBe(true)
  })

  test.each<[string, string?, string?]>([
    ['10$00'],
    ['10-00'],
    ['1000-'],
    ['-1000'],
    ['(10)00', '-1000'],
    ['(10)(00)', '-1000'],
    ['10(00)', '-1000'],
    ['10.00', '1000', '.'],
    ['.1000', '1000', '.'],
    ['-1000', '1000', '-'],
    ['91000', '1000', '9'],
    ['$$1000'],
    ['%1000'],
  ])('are no part of it, and are no digits: %s', (shown, value, currency) => {
    expect(isShown(shown, value, currency)).toBe(false)
  })

  test('a part has its sign before or behind it', () => {
    const isPart = (shown: string) => isFormatted('AFPercent_Format(0, 1)', '0.25', shown)
    expect(['25%', '%25', '25 %', '25'].map(isPart)).toEqual([true, true, true, true])
    expect(['2%5', '25%%', '25-%'].map(isPart)).toEqual([false, false, false])
  })

  test('another script adds one before or behind it', () => {
    const isOwn = (shown: string, value = '1000') => isFormatted('own()', value, shown)
    expect(['1000', '$1000', '$ 1000', '1000 €'].map((one) => isOwn(one))).not.toContain(false)
    expect(['-$1000', '$-1000', '-1000'].map((one) => isOwn(one, '-1000'))).not.toContain(false)
    expect(['10$00', '$$1000', '-$1000', '1000.'].map((one) => isOwn(one))).not.toContain(true)
    expect(isOwn('1000', '$1000')).toBe(true)
  })
})

describe('a date or time that a script writes out', () => {
  const isDate = (value: string, shown: string) =>
    isFormatted('AFDate_FormatEx("d/m/yy")', value, shown)
  const isTime = (value: string, shown: string) => isFormatted('AFTime_Format(0)', value, shown)

  test.each([
    ['05/02/2026', '5 de febrero del 2026'],
    ['05/02/2026', '5 FEB 2026'],
    ['05/02/2026', '5/2/26'],
    ['5/2/26', '05/02/2026'],
    ['2026-02-05', '5 feb. 2026'],
  ])('%s is %s', (value, shown) => {
    expect(isDate(value, shown)).toBe(true)
  })

  test.each([
    ['05/02/2026', '5/2/1926'],
    ['05/02/2026', '5/2/25'],
    ['05/02/2026', '2/5/2026'],
    ['05/02/2026', '5 de marzo del 2026'],
    ['05/02/2026', '5/2'],
    ['05/02/2026', '5 lunes 2 2026'],
    // Readers of these see another day.
    ['01/02/2026', '1\u{b2}/2/2026'],
    ['01/02/2026', '1\u{ff15}/2/2026'],
    ['01/02/2026', '1|/2/2026'],
  ])('%s is not %s', (value, shown) => {
    expect(isDate(value, shown)).toBe(false)
  })

  test('counts hours to 12 before noon and behind it', () => {
    expect(isTime('15:30', '3:30 pm')).toBe(true)
    expect(isTime('15:30', '3:30 p.m.')).toBe(true)
    expect(isTime('15:30', '3:30 am')).toBe(false)
    expect(isTime('3:30', '3:30 am')).toBe(true)
    expect(isTime('3:30', '3:30 pm')).toBe(false)
    expect(isTime('0:30', '12:30 am')).toBe(true)
    expect(isTime('12:30', '12:30 pm')).toBe(true)
    expect(isTime('12:30', '12:30 am')).toBe(false)
  })
})
