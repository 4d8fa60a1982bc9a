import { expect, test } from 'vitest'
import { datesIn } from '#server/domain/documents/search/dates.ts'

test.each([
  '20 nov 2026',
  '20 nov. 2026',
  '20 noviembre 2026',
  '20 de noviembre de 2026',
  '20 de Noviembre del 2026',
  '20/11/2026',
  '20-11-2026',
  '20.11.2026',
  '2026-11-20',
])('date: %s is read', (text) => {
  const { dates, rest } = datesIn(`acta ${text} casa`)
  expect(dates).toEqual([['2026', '11', '20']])
  expect(rest.split(' ').filter(Boolean)).toEqual(['acta', 'casa'])
})

test.each([
  ['3 de enero de 2025', ['2025', '01', '03']],
  ['1/2/2026', ['2026', '02', '01']],
  ['septiembre de 2026', ['2026', '09']],
  ['sept 2026', ['2026', '09']],
])('date: %s is %j', (text, words) => {
  expect(datesIn(text).dates).toEqual([words])
})

test.each([
  '32/11/2026',
  '20/13/2026',
  '20 lunes 2026',
  'libro 2026',
  '2026',
  'escritura 4521 2026',
])('date: %s is none, and stays', (text) => {
  expect(datesIn(text)).toEqual({ dates: [], rest: text })
})

test('date: a text may name several', () => {
  expect(datesIn('del 1 de mayo de 2025 al 2026-06-30').dates.toSorted()).toEqual([
    ['2025', '05', '01'],
    ['2026', '06', '30'],
  ])
})
