import { describe, expect, test } from 'vitest'
import { DocumentKind } from '#server/domain/documents/document.ts'
import { cutOut } from '#server/domain/documents/numbers/number-entry.ts'
import { seriesOfKind } from '#server/domain/documents/numbers/number-series.ts'
import { COLLATION_SERIES, INSTRUMENT_SERIES } from '#server/domain/documents/numbers/series-ids.ts'
import {
  foldedNumber,
  numberIn,
  numberText,
} from '#server/domain/documents/numbers/series-number.ts'

describe('numbers of instruments', () => {
  test.each([
    ['4530', 4530],
    [' 4,530 ', 4530],
    ['45 213', 45_213],
    ['1,204,530', 1_204_530],
    ['0012', 12],
    ['99999999', 99_999_999],
  ])('number: %j is %i', (text, number) => {
    expect(numberIn(text)).toBe(number)
  })

  test.each([
    '',
    '0',
    '12,345 bis',
    '12345/2024',
    '4,53',
    '4,5300',
    '-3',
    '1e5',
    '123456789',
    '４５',
  ])('number: %j is text', (text) => {
    expect(numberIn(text)).toBeUndefined()
  })

  test('number: written as offices write it, and read back', () => {
    expect(numberText(1_204_530)).toBe('1,204,530')
    expect(numberIn(numberText(1_204_530))).toBe(1_204_530)
  })

  test('text: the same whatever its case, accents and blanks', () => {
    expect(foldedNumber('12345  BÍS ')).toBe(foldedNumber('12345 bis'))
  })

  test('kinds: deeds and their like have a number, collations one of their own register, copies only cite one', () => {
    const held = DocumentKind.options.filter((kind) => seriesOfKind(kind) === INSTRUMENT_SERIES)
    expect(held).toEqual(['deed', 'act', 'ratification', 'power-of-attorney', 'will'])
    expect(seriesOfKind('collation')).toBe(COLLATION_SERIES)
    expect(seriesOfKind('testimony')).toBeNull()
  })
})

describe('cutting a range', () => {
  const whole = { first: 10, last: 20 }

  test.each([
    ['the middle', { first: 12, last: 14 }, ['10-11', '15-20']],
    ['the beginning', { first: 10, last: 12 }, ['13-20']],
    ['the end', { first: 20, last: 20 }, ['10-19']],
    ['all of it', { first: 10, last: 20 }, []],
    ['more than it', { first: 1, last: 99 }, []],
    ['over its end', { first: 18, last: 30 }, ['10-17']],
  ])('%s', (_, part, rest) => {
    expect(cutOut(whole, part).map(({ first, last }) => `${first}-${last}`)).toEqual(rest)
  })
})
