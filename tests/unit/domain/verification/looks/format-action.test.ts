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

describe('a date or time that a script writes out', () => {
  const isDate = (value: string, shown: string) =>
    isFormatted('AFDate_FormatEx("d/m/yy")', value, shown)
  const isTime = (value: string, shown: string) => isFormatted('AFTime_Format(0)', value, shown)

  test.each([
    ['05/02/2026', '5 de febrero del 2026'],
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
