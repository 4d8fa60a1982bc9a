import { expect, test } from 'vitest'
import { Day } from '#server/domain/day.ts'
import { Folio } from '#server/domain/documents/folio.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { documentText } from '#server/domain/documents/search/document-text.ts'
import {
  inexactWordsOf,
  parseSearch,
  type Search,
  withSimilarWords,
} from '#server/domain/documents/search/query.ts'
import {
  VerificationCode,
  verificationCodeFrom,
} from '#server/domain/documents/verification-code.ts'

const CODE = verificationCodeFrom(new Uint8Array(10).fill(77))

const text = documentText({
  folio: Folio.parse('2026-000123'),
  verificationCode: VerificationCode.parse(CODE),
  title: 'Casa habitación · Lázaro Cárdenas 14,521',
  kind: 'Escritura',
  instrument: Instrument.parse({
    number: '4,521 bis',
    volume: '118',
    folios: '102 a 110 vuelta',
    date: '2026-11-20',
    acts: 'Compraventa',
    parties: [{ name: 'Íñiga Peña Núñez', character: 'Vendedora' }],
  }),
  uploaded: Day.parse('2026-11-26'),
  signers: [{ name: 'José de la O', rfc: 'OOOJ800101AB1' }],
})

const finds = (search: Search | undefined) =>
  search?.groups.every((group) => group.some((needle) => text.includes(needle)))

test.each([
  ...['4521', '4,521', 'escritura 4521', 'ESCRITURA 4,521 BIS', 'instrumento 4521'],
  ...['libro 118', 'volumen 118', 'tomo 118', '118'],
  ...['20 nov 2026', '20/11/2026', '2026-11-20', 'noviembre de 2026', '26 de noviembre de 2026'],
  ...['inigA PENA', 'nunez pena', 'Peñ', 'pe', 'jo la', 'de la o', 'habitacion'],
  ...['OOOJ800101AB1', 'oooj-800101-ab1', 'OOOJ800101'],
  ...['2026-000123', '2026-123', '000123'],
  ...[
    CODE,
    CODE.toLowerCase(),
    CODE.replaceAll('-', ''),
    CODE.replaceAll('-', ' '),
    CODE.slice(0, 9),
  ],
  ...['14,521', '14521', 'lázaro-cárdenas', 'folios 102'],
  ...['escritura número 4521', 'escritura núm. 4,521', 'Escritura No. 4521', 'instrumento nº 4521'],
  ...['escritura n.º 4521', 'escritura #4521', 'escritura nro. 4521', 'escritura número: 4,521'],
  ...[
    'compraventa de Íñiga Peña',
    'escritura del 20 de noviembre de 2026',
    'la casa y el libro 118',
  ],
])('search: %s finds the document', (asked) => {
  expect(finds(parseSearch(asked))).toBe(true)
})

test.each([
  ...['4522', 'libro 119', '20 nov 2025', 'diciembre de 2026', 'na', 'be', 'tomo 11 8', 'i'],
  ...['2026-124', 'pena lopez', 'OOOJ800102AB1'],
  ...['escritura número 4522', 'número', 'del', 'compraventa de número'],
])('search: %s does not find it', (asked) => {
  expect(finds(parseSearch(asked))).toBe(false)
})

test('search: words that the document has whole are exact', () => {
  const isExact = (asked: string) => parseSearch(asked)?.exact.every((word) => text.includes(word))
  for (const asked of [
    '4521',
    'casa escritura 4,521',
    'Núñez Peña',
    'libro 118',
    CODE,
    '20/11/2026',
  ])
    expect([asked, isExact(asked)]).toEqual([asked, true])
  for (const asked of ['452', 'escritura 452', 'nunez pe', 'peñ'])
    expect([asked, isExact(asked)]).toEqual([asked, false])
})

test.each(['', '   ', '·', '—¿?!', '"', "'--"])('search: %j asks for nothing', (asked) => {
  expect(parseSearch(asked)).toBeUndefined()
})

test('search: each part has three letters or more, as the index needs', () => {
  const asked = `a be cde 1 22 333 x-y ñ 😀 ${'palabra '.repeat(20)}`
  const needles = parseSearch(asked)?.groups.flat() ?? []
  expect(needles.length).toBeGreaterThan(25)
  for (const needle of needles) expect([...needle].length).toBeGreaterThanOrEqual(3)
})

test('search: a wrong letter is forgiven in words of five letters, never in numbers, codes and dates', () => {
  expect(
    inexactWordsOf('Peres Gonzales casa 45213 OOOJ800101AB1 2026-000123 noviembre 2026'),
  ).toEqual(['peres', 'gonzales'])
  expect(inexactWordsOf(CODE)).toEqual([])
})

test('search: similar words stand in for those that were asked for', () => {
  expect(finds(withSimilarWords('penna', new Map()))).toBeUndefined()
  expect(finds(withSimilarWords('nunes casa', new Map([['nunes', ['nunez']]])))).toBe(true)
  expect(finds(withSimilarWords('nunes lote', new Map([['nunes', ['nunez']]])))).toBe(false)
})
