import { expect, test } from 'vitest'
import {
  DeclaredCharacter,
  officeCharacterOf,
  SigningCharacter,
} from '#server/domain/identity/signing-character.ts'
import type { User } from '#server/domain/identity/user.ts'
import { characterText, declaredText } from '#server/domain/signing/character-text.ts'
import { parseInstant } from '#server/domain/time.ts'

type Signer = Parameters<typeof officeCharacterOf>[0]

const from = parseInstant('2026-01-01T00:00:00Z')
const to = parseInstant('2026-12-31T23:59:59Z')
const now = parseInstant('2026-11-20T15:00:00Z')

function signer(roles: User['roles'], capacity: User['capacity']): Signer {
  return { roles, capacity, capacityFrom: from, capacityTo: to }
}

const textAt = (person: Signer, at = now) => {
  const character = officeCharacterOf(person, at)
  return character && characterText(character)
}

test.each<[string, Signer, string | undefined]>([
  ['a notary', signer(['NOTARY'], 'titular'), 'Notario titular'],
  ['a substitute', signer(['ADMIN', 'NOTARY'], 'suplente'), 'Notario suplente'],
  ['a notary without a capacity on record', signer(['NOTARY'], null), undefined],
  ['a capacity without the role', signer(['CLERK'], 'titular'), undefined],
  ['a lawyer', signer(['LAWYER'], null), 'Abogado'],
  ['a user who does not sign', signer(['CLERK', 'ADMIN'], null), undefined],
])('office character: %s', (_, person, text) => {
  expect(textAt(person)).toBe(text)
})

test('office character: outside the dates a notary signs only as the lawyer that they also are', () => {
  const late = parseInstant('2027-01-01T00:00:00Z')
  const early = parseInstant('2025-12-31T23:59:59Z')
  for (const at of [late, early]) {
    expect(textAt(signer(['NOTARY'], 'titular'), at)).toBeUndefined()
    expect(textAt(signer(['NOTARY', 'LAWYER'], 'titular'), at)).toBe('Abogado')
  }
  expect(textAt(signer(['NOTARY'], 'titular'), from)).toBe('Notario titular')
  expect(textAt(signer(['NOTARY'], 'titular'), to)).toBe('Notario titular')
})

test.each([
  'Notario titular',
  'Nоtario',
  'Testi\u200bgo',
  '🇹estigo',
  'Testigo 🅃',
  '①',
  'Τestigo',
  'Тестиго',
  ' ',
  'a'.repeat(81),
])('declared character: %j is refused', (text) => {
  expect(DeclaredCharacter.safeParse(text).success).toBe(false)
  const character = { kind: 'declared', texts: [text] }
  expect(SigningCharacter.safeParse(character).success).toBe(false)
})

test('declared character: one signature names all of them', () => {
  const [buyer, proxy, witness] = ['Compradora', 'Apoderada de Ñandú, S.A.', 'Testigo'].map(
    (text) => DeclaredCharacter.parse(text),
  )
  if (!buyer || !proxy || !witness) throw new Error('three texts')
  expect(characterText({ kind: 'declared', texts: [buyer] })).toBe('Carácter declarado: Compradora')
  expect(declaredText([buyer, proxy])).toBe('Compradora y Apoderada de Ñandú, S.A.')
  expect(declaredText([buyer, proxy, witness])).toBe(
    'Compradora, Apoderada de Ñandú, S.A. y Testigo',
  )
})
