import { expect, test } from 'vitest'
import { rowsForAct } from '#app/routes/signing/new/apply-act.ts'
import { requestedSigners } from '#app/routes/signing/new/requested-signers.ts'
import {
  FIELDS_OF_ROW,
  isUntouched,
  isVacant,
  rowsIn,
  type SignerRow,
  stepsOf,
  withRow,
} from '#app/routes/signing/new/signer-rows.ts'
import type { SessionAct } from '#server/domain/signing/act/act.ts'

const NOTARY = '1f9d7a52-9d0f-4c53-8a4e-5a7b0c9e1d11'
const CLERK = '2f9d7a52-9d0f-4c53-8a4e-5a7b0c9e1d12'
const BENITO = { name: 'Benito Núñez Peña', rfc: 'nupb801201qx7' }

const row = (changes: Partial<SignerRow> = {}): SignerRow => ({
  ...{ key: '1', kind: 'external', userId: '', name: '', rfc: '', email: '', character: '' },
  ...{ given: '', isTogether: false, ...changes },
})
const SALE: Pick<SessionAct, 'roles' | 'notary'> = {
  roles: [
    { character: 'Parte vendedora', least: 1, most: 4 },
    { character: 'Cónyuge', least: 0, most: 4 },
    { character: 'Parte compradora', least: 2, most: 4 },
  ],
  notary: 'signs',
}
const shown = (rows: readonly SignerRow[]) =>
  rows.map(({ kind, character, name, userId }) =>
    [kind, character, name || userId].join(' ').trim(),
  )

test('rows: read in the order of their keys, bounded, without malformed and repeated keys', () => {
  const entries = [
    ...[['signer', '7'] as const, ['signer', '3'] as const, ['signer', '7'] as const],
    ...[['signer', '<b>'] as const, ['signer', '12345678'] as const],
    ...[['kind-3', 'user'] as const, ['userId-3', NOTARY] as const, ['together-3', 'on'] as const],
    ...[['name-7', 'x'.repeat(5000)] as const, ['kind-7', 'strange'] as const],
  ]
  const rows = rowsIn(entries, 40)
  expect(rows.map(({ key, kind, isTogether }) => [key, kind, isTogether])).toEqual([
    ['7', 'external', false],
    ['3', 'user', true],
  ])
  expect(rows[0]?.name).toHaveLength(400)
  const many = Array.from({ length: 90 }, (_, index) => ['signer', String(index)] as const)
  expect(rowsIn(many, 40)).toHaveLength(40)
  expect(FIELDS_OF_ROW).toBe(9)
})

test('rows: a new one has a key of its own', () => {
  const rows = withRow([row({ key: '9' }), row({ key: '2' })], { kind: 'user' }, 1)
  expect(rows.map(({ key, kind }) => key + kind)).toEqual(['9external', '10user', '2external'])
})

test('rows: the next step, or that of the row before', () => {
  const rows = [true, false, true, true, false].map((isTogether) => ({ isTogether }))
  expect(stepsOf(rows)).toEqual([1, 2, 2, 2, 3])
})

test('row: vacant without a person, untouched without anything typed', () => {
  expect(isVacant(row({ character: 'Testigo' }))).toBe(true)
  expect(isVacant(row({ email: 'a@b.example' }))).toBe(false)
  expect(isUntouched(row({ character: 'Testigo', given: 'Testigo' }))).toBe(true)
  expect(isUntouched(row({ character: 'Testiga', given: 'Testigo' }))).toBe(false)
})

test('act: a row for each who must sign, parties at once, the only notary last', () => {
  const rows = rowsForAct([], SALE, [NOTARY], 40)
  expect(shown(rows)).toEqual([
    'external Parte vendedora',
    'external Parte compradora',
    'external Parte compradora',
    `user  ${NOTARY}`,
  ])
  expect(stepsOf(rows)).toEqual([1, 1, 1, 2])
  expect(shown(rowsForAct([], SALE, [NOTARY, CLERK], 40)).at(-1)).toBe('user')
  expect(rowsForAct([], SALE, [NOTARY], 2)).toHaveLength(2)
})

test('act: nothing typed is lost, and what the act before gave goes', () => {
  const typed = [
    row({ key: '1', character: 'Vendedora', ...BENITO }),
    row({ key: '2', character: 'Poderdante', given: 'Poderdante' }),
    row({ key: '3', character: 'Perito' }),
    row({ key: '4', kind: 'user', userId: NOTARY }),
    row({ key: '5' }),
  ]
  expect(shown(rowsForAct(typed, SALE, [NOTARY], 40))).toEqual([
    'external Vendedora Benito Núñez Peña',
    'external Perito',
    'external Parte compradora',
    'external Parte compradora',
    `user  ${NOTARY}`,
  ])
  const keys = rowsForAct(typed, SALE, [NOTARY], 40).map(({ key }) => key)
  // A new row takes no key of the page, not even one that goes: the browser would show the old text in it.
  expect(keys).toEqual(['1', '3', '6', '7', '4'])
  const again = rowsForAct(rowsForAct(typed, SALE, [NOTARY], 40), SALE, [NOTARY], 40)
  expect(shown(again)).toEqual(shown(rowsForAct(typed, SALE, [NOTARY], 40)))
})

test('signers: asked as the rows say, in their steps', () => {
  const rows = [
    row({ key: '1', ...BENITO, character: 'Comprador', email: 'benito@ejemplo.example' }),
    row({ key: '2', kind: 'user', userId: CLERK, character: 'Testigo', isTogether: true }),
    row({ key: '3' }),
    row({ key: '4', kind: 'user', userId: NOTARY }),
  ]
  const { signers, errors } = requestedSigners(rows, new Set([NOTARY]))
  expect(errors).toEqual({})
  expect(signers).toEqual([
    {
      ...{ kind: 'external', name: BENITO.name, rfc: 'NUPB801201QX7', character: 'Comprador' },
      ...{ email: 'benito@ejemplo.example', step: 1 },
    },
    { kind: 'user', userId: CLERK, character: 'Testigo', step: 1 },
    { kind: 'user', userId: NOTARY, character: null, step: 2 },
  ])
})

test.each([
  ['a row of the act without a person', { character: 'Poderdante', given: 'Poderdante' }, 'name-1'],
  ['a row without an RFC', { name: 'Benito', character: 'Comprador' }, 'rfc-1'],
  ['a row without a character', { ...BENITO }, 'character-1'],
  ['a notarial character', { ...BENITO, character: 'Notario titular' }, 'character-1'],
  ['a notarial name', { ...BENITO, name: 'Notario Benito', character: 'Perito' }, 'name-1'],
  ['a malformed address', { ...BENITO, character: 'Perito', email: 'benito@' }, 'email-1'],
  ['no user', { kind: 'user' }, 'userId-1'],
  ['a malformed user', { kind: 'user', userId: 'x' }, 'userId-1'],
  ['a clerk without a character', { kind: 'user', userId: CLERK }, 'character-1'],
] as const)('signers: %s is refused at its field', (_, changes, field) => {
  const { signers, errors } = requestedSigners([row(changes)], new Set([NOTARY]))
  expect(Object.keys(errors)).toContain(field)
  expect(errors[field]?.[0]).toMatch(/^\p{Lu}.+\.$/u)
  expect(signers.length === 0 || 'kind' in changes).toBe(true)
})

test('requested signers: in the steps that the page shows, whatever untouched rows stand between', () => {
  const { signers } = requestedSigners(
    [
      row({ key: '1', ...BENITO, character: 'Vendedor' }),
      row({ key: '2' }),
      row({ key: '3', ...BENITO, character: 'Comprador', isTogether: true }),
    ],
    new Set(),
  )
  expect(signers.map(({ step }) => step)).toEqual([1, 2])
})
