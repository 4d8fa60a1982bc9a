import { expect, test } from 'vitest'
import {
  isWill,
  lookupAfterChange,
  lookupOfNew,
} from '#server/domain/documents/decide-public-lookup.ts'
import { Document } from '#server/domain/documents/document.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { publicAddressOf } from '#server/domain/documents/public-address.ts'
import { after, minutes } from '#server/domain/time.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'
import { aDocument } from '#tests/support/pdf/signed-document.ts'

const author = aUser(anOffice())
const LATER = after(MORNING, minutes(5))
const NONE = { number: '1', volume: null, folios: null, date: null, parties: [] }
const withActs = (acts: string | null) => Instrument.parse({ ...NONE, acts })

test.each([
  ['kind', { kind: 'will', title: 'Escritura 12' }, true],
  ['act', { title: 'Escritura 12', instrument: withActs('TESTAMENTO público abierto') }, true],
  ['one of several acts', { instrument: withActs('Poder y testamento') }, true],
  ['codicil', { instrument: withActs('Codicilo') }, true],
  ['title without an instrument', { title: 'Testamentos de los cónyuges' }, true],
  ['title without acts', { title: 'Aviso de testamento', instrument: withActs(null) }, true],
  ['other act', { title: 'Según testamento', instrument: withActs('Compraventa') }, false],
  ['succession', { instrument: withActs('Sucesión testamentaria') }, false],
  ['nothing of it', { title: 'Poder notarial' }, false],
])('will: recognized by its %s', (_, changes, expected) => {
  const document = aDocument(author, changes)
  expect(isWill(document)).toBe(expected)
  const state = expected ? 'off' : 'on'
  expect(lookupOfNew(document, LATER)).toEqual({ state, since: LATER, by: null })
})

test('public look-up: follows kind and act until a notary decides', () => {
  const deed = aDocument(author)
  expect(lookupAfterChange(deed, LATER)).toBe(deed.publicLookup)
  const will: Document = { ...deed, instrument: withActs('Testamento') }
  const off = lookupAfterChange(will, LATER)
  expect(off).toEqual({ state: 'off', since: LATER, by: null })
  expect(lookupAfterChange({ ...deed, publicLookup: off }, LATER).state).toBe('on')
  const decided = { state: 'on', since: MORNING, by: author.id } as const
  expect(lookupAfterChange({ ...will, publicLookup: decided }, LATER)).toBe(decided)
})

test('public address: a document that is off has none', () => {
  const deed = aDocument(author)
  expect(publicAddressOf('https://r.example', deed)).toEqual({
    url: `https://r.example/verify/${deed.id}`,
    code: deed.verificationCode,
  })
  const off = Document.parse({ ...deed, publicLookup: { ...deed.publicLookup, state: 'off' } })
  expect(publicAddressOf('https://r.example', off)).toBeNull()
})
