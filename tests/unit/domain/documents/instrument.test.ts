import { describe, expect, test } from 'vitest'
import {
  Instrument,
  instrumentFacts,
  instrumentText,
  Parties,
  partyText,
} from '#server/domain/documents/instrument.ts'

const instrument = Instrument.parse({
  number: ' 45,213 ',
  volume: '1,204',
  folios: '102 a 110 vuelta',
  date: '2026-03-05',
  acts: 'Compraventa y apertura de crédito',
  parties: [
    { name: 'Íñiga Peña', character: 'Vendedora' },
    { name: 'Inmobiliaria Ñandú, S.A. de C.V.', character: null },
  ],
})
const bare = Instrument.parse({
  number: '7 bis',
  volume: null,
  folios: null,
  date: null,
  acts: null,
  parties: [],
})

test('the volume has the name that its state uses, and unknown parts are left out', () => {
  expect(instrumentFacts(instrument, 'tomo')).toEqual([
    { name: 'Instrumento', value: '45,213' },
    { name: 'Tomo', value: '1,204' },
    { name: 'Folios', value: '102 a 110 vuelta' },
    { name: 'Fecha del instrumento', value: '05 mar 2026' },
    { name: 'Acto', value: 'Compraventa y apertura de crédito' },
    {
      name: 'Comparecientes',
      value: 'Vendedora: Íñiga Peña; Inmobiliaria Ñandú, S.A. de C.V.',
    },
  ])
  expect(instrumentFacts(bare, 'libro')).toEqual([{ name: 'Instrumento', value: '7 bis' }])
  expect(instrumentText({ ...bare, volume: '12' }, 'libro')).toBe('Instrumento: 7 bis · Libro: 12')
})

test.each([
  ['no number', { number: ' ' }],
  ['a day that no calendar has', { date: '2026-02-30' }],
  ['too many parties', { parties: Array(61).fill({ name: 'Ana', character: null }) }],
])('%s is refused', (_, changes) => {
  expect(Instrument.safeParse({ ...instrument, ...changes }).success).toBe(false)
})

describe('parties that are written one a line', () => {
  test('have a character before the colon, or none', () => {
    const text = 'Vendedora:  Íñiga   Peña\r\n\r\nJosé Núñez\nApoderado: S.A.: Ñandú'
    const parties = Parties.parse(text)
    expect(parties).toEqual([
      { name: 'Íñiga Peña', character: 'Vendedora' },
      { name: 'José Núñez', character: null },
      { name: 'S.A.: Ñandú', character: 'Apoderado' },
    ])
    expect(Parties.parse(parties.map(partyText).join('\n'))).toEqual(parties)
  })

  test('may be empty', () => {
    expect(Parties.parse(' \n\n')).toEqual([])
  })

  test.each([
    ['a character without a name', 'Vendedora: '],
    ['a name that goes on for ever', 'x'.repeat(151)],
    ['more than can appear', 'Ana\n'.repeat(61)],
    ['a character of control', 'Ana\u0007'],
  ])('%s is refused', (_, text) => {
    expect(Parties.safeParse(text).success).toBe(false)
  })
})
