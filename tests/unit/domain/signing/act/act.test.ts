import { expect, test } from 'vitest'
import { Day } from '#server/domain/day.ts'
import { OfficeId } from '#server/domain/ids.ts'
import {
  ActData,
  actIn,
  changedFactsOf,
  electronicIn,
  leavesProtocol,
  MOST_ACTS,
} from '#server/domain/signing/act/act.ts'
import { defaultActs } from '#server/domain/signing/act/default-acts.ts'
import { isSameRole, rolesNotMet } from '#server/domain/signing/act/roles-met.ts'
import { OF_OFFICE } from '#server/domain/signing/session/requested-character.ts'
import { declared } from '#tests/support/characters.ts'

const OFFICE = OfficeId.parse('7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a90')
const SALE: unknown = {
  name: 'Compraventa',
  roles: [{ character: 'Parte vendedora', least: 1, most: 2 }],
  notary: 'signs',
  electronic: null,
}
const answered = (answer: 'yes' | 'no' | 'unknown', entity = 'Jalisco') => ({
  electronic: { answer, entity, source: 'Ley del Notariado, art. 1', day: Day.parse('2026-11-20') },
})

test('default acts: each could be typed by an administrator, and none claims to know the law', () => {
  const acts = defaultActs(OFFICE)
  expect(acts.length).toBeLessThan(MOST_ACTS)
  expect(new Set(acts.map(({ id }) => id)).size).toBe(acts.length)
  for (const act of acts) {
    expect(ActData.parse(act).name).toBe(act.name)
    expect(leavesProtocol(actIn(act, 'Jalisco')), act.name).toBe(true)
  }
})

test.each([
  ['a notarial character', { roles: [{ character: 'Notario titular', least: 1, most: 1 }] }],
  ['more at least than at most', { roles: [{ character: 'Testigo', least: 3, most: 2 }] }],
  ['zero at most', { roles: [{ character: 'Testigo', least: 0, most: 0 }] }],
  [
    'a role twice',
    {
      roles: [
        { character: 'Testigo', least: 0, most: 2 },
        { character: 'TESTIGO', least: 0, most: 2 },
      ],
    },
  ],
  ['no name', { name: '  ' }],
  ['a yes without a source', { electronic: { ...answered('yes').electronic, source: null } }],
  ['a no without a date', { electronic: { ...answered('no').electronic, day: null } }],
])('act: refused with %s', (_, change) => {
  expect(ActData.safeParse(SALE).success).toBe(true)
  expect(ActData.safeParse({ ...(SALE as object), ...change }).success).toBe(false)
})

test('act: an answer counts in its own state only, whatever its accents', () => {
  expect(electronicIn(answered('yes', 'Ciudad de México'), 'ciudad de mexico').answer).toBe('yes')
  expect(electronicIn(answered('yes', 'Jalisco'), 'Colima')).toEqual({
    ...{ answer: 'unknown', entity: 'Colima', source: null, day: null },
  })
})

test('act: leaves the protocol unless it may be signed electronically', () => {
  expect(leavesProtocol(null)).toBe(false)
  expect(leavesProtocol(answered('yes'))).toBe(false)
  expect(leavesProtocol(answered('no'))).toBe(true)
  expect(leavesProtocol(answered('unknown'))).toBe(true)
})

test('act: the changed facts are named', () => {
  const sale = ActData.parse(SALE)
  expect(changedFactsOf(sale, ActData.parse(SALE))).toEqual([])
  expect(changedFactsOf(sale, { ...sale, notary: 'absent', ...answered('no') })).toEqual([
    'notary',
    'electronic',
  ])
})

test.each([
  ['Parte vendedora', 'vendedor', true],
  ['Cónyuge de la parte vendedora', 'cónyuge del vendedor', true],
  ['Testigo', 'Testigos', true],
  ['Parte compradora', 'Parte vendedora', false],
  ['Albacea', 'Apoderado', false],
])('roles: “%s” and “%s” are the same: %s', (one, other, isSame) => {
  expect(isSameRole(one, other)).toBe(isSame)
})

test('roles: says which have too few or too many signers, and leaves other characters free', () => {
  const roles = [
    { character: 'Parte vendedora', least: 1, most: 1 },
    { character: 'Parte compradora', least: 1, most: 2 },
    { character: 'Testigo', least: 0, most: 2 },
  ]
  const signers = [
    { character: declared('Vendedor') },
    { character: declared('Vendedora') },
    { character: declared('Perito') },
    { character: OF_OFFICE },
  ]
  expect(rolesNotMet({ roles }, signers).map(({ role, count }) => [role.character, count])).toEqual(
    [
      ['Parte vendedora', 2],
      ['Parte compradora', 0],
    ],
  )
})
