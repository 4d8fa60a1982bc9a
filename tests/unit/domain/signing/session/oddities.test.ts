import { expect, test } from 'vitest'
import type { User } from '#server/domain/identity/user.ts'
import { ActId, type UserId } from '#server/domain/ids.ts'
import { type DraftFacts, odditiesOf } from '#server/domain/signing/session/oddities.ts'
import { requestedCharacterFrom } from '#server/domain/signing/session/requested-character.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { after, before, days, hours } from '#server/domain/time.ts'
import { sentenceOfOddity } from '#server/words/oddities.ts'
import { anOffice, aUser, MORNING } from '#tests/support/builders.ts'

const now = MORNING
const office = anOffice()
const IN_A_WEEK = after(now, days(7))
const notary = (changes: Partial<User> = {}) =>
  aUser(office, { state: 'active', roles: ['NOTARY'], capacity: 'titular', ...changes })

function signerOf(changes: Record<string, unknown> = {}): Signer {
  return {
    ...{ place: 1, step: 1, userId: null, name: 'Benito Núñez Peña', email: 'b@correo.example' },
    ...{ rfc: 'FUNK671228PH6', character: requestedCharacterFrom('Comprador'), state: 'pending' },
    ...changes,
  } as Signer
}

const asNotary = (account: User, changes: Record<string, unknown> = {}) =>
  signerOf({
    ...{ userId: account.id, name: 'Ana Titular', email: null, step: 9 },
    ...{ character: requestedCharacterFrom(null), ...changes },
  })

function found(changes: Partial<DraftFacts> & { account?: User; notarySigns?: boolean } = {}) {
  const { account = notary(), notarySigns = true, ...facts } = changes
  const others = facts.signers ?? [signerOf()]
  return odditiesOf(
    {
      session: { deadline: IN_A_WEEK, act: null },
      accounts: new Map<UserId, User>([[account.id, account]]),
      documents: [],
      ...facts,
      signers: notarySigns ? [...others, asNotary(account)] : others,
    },
    now,
  )
}
const codes = (...asked: Parameters<typeof found>) => found(...asked).map(({ code }) => code)

test('ordinary session: nothing is odd', () => {
  expect(found()).toEqual([])
})

test.each([
  ['no deadline', { session: { deadline: null, act: null } }, ['no-deadline']],
  [
    'a deadline within a day',
    { session: { deadline: after(now, hours(23)), act: null } },
    ['deadline-near'],
  ],
  ['no notary', { notarySigns: false }, ['no-notary']],
  ['a notary who signs as a party only', partyOnly(), ['no-notary']],
  [
    'the same name with two RFCs, accents aside',
    {
      signers: [
        signerOf(),
        signerOf({ name: 'BENITO NUÑEZ PENA', rfc: 'CACX7605101P8', email: null }),
      ],
    },
    ['same-name', 'no-address'],
  ],
  [
    'the same address twice',
    {
      signers: [
        signerOf(),
        signerOf({ name: 'Marta', rfc: 'CACX7605101P8', email: 'B@correo.example' }),
      ],
    },
    ['same-address'],
  ],
  ['a generic RFC', { signers: [signerOf({ rfc: 'XAXX010101000' })] }, ['generic-rfc']],
  ['a wrong check digit', { signers: [signerOf({ rfc: 'FUNK671228PH7' })] }, ['doubtful-rfc']],
  ['no address', { signers: [signerOf({ email: null })] }, ['no-address']],
  ['a suspended account', { account: notary({ state: 'suspended' }) }, ['account-not-active']],
  ['no capacity', { account: notary({ capacity: null }) }, ['capacity-missing']],
  [
    'a capacity that ended',
    { account: notary({ capacityTo: before(now, days(1)) }) },
    ['capacity-missing'],
  ],
  [
    'a capacity that has not begun',
    { account: notary({ capacityFrom: after(now, days(1)) }) },
    ['capacity-missing'],
  ],
  [
    'a capacity that ends before the deadline',
    { account: notary({ capacityTo: after(now, days(3)) }) },
    ['capacity-ends'],
  ],
  ['a notary before the parties', { signers: [signerOf({ step: 10 })] }, ['notary-first']],
] as const)('odd: %s', (_, changes, expected) => {
  expect(codes(changes as never)).toEqual(expected)
})

test('capacity: one that ends with the deadline or later is in order', () => {
  expect(codes({ account: notary({ capacityTo: IN_A_WEEK }) })).toEqual([])
})

function partyOnly() {
  const account = notary()
  const asParty = asNotary(account, { character: requestedCharacterFrom('Compradora') })
  return { account, notarySigns: false, signers: [signerOf(), asParty] }
}

test.each([
  ['a file that was judged green', 'green', false, []],
  ['one that was not', 'not-green', false, ['not-green']],
  ['one that waits to be judged', 'waiting', false, ['not-judged']],
  ['one of another session', 'green', true, ['held-elsewhere']],
] as const)('document: %s', (_, judged, isHeld, expected) => {
  expect(codes({ documents: [{ title: 'Escritura', isHeld, judged, open: [] }] })).toEqual(expected)
})

test('document: each list that lacks items is named, with their number', () => {
  const open = [
    { act: 'Compraventa', count: 2 },
    { act: 'Hipoteca', count: 1 },
  ]
  const documents = [{ title: 'Casa', isHeld: false, judged: 'green' as const, open }]
  expect(found({ documents }).map(sentenceOfOddity).slice(-2)).toEqual([
    'Faltan 2 puntos de la lista de Compraventa en “Casa”.',
    'Falta 1 punto de la lista de Hipoteca en “Casa”.',
  ])
})

test('sentences: name the people and documents', () => {
  const odd = found({ signers: [signerOf(), signerOf({ rfc: 'CACX7605101P8' })] })
  expect(odd.map(sentenceOfOddity)[0]).toContain('Benito Núñez Peña y Benito Núñez Peña')
})

test('act: a private one is signed without a notary, and its roles are counted', () => {
  const act: DraftFacts['session']['act'] = {
    ...{ id: ActId.parse('7c1f0f5e-3d0c-4f6e-9a51-6d0f3c1b2a90'), name: 'Convenio privado' },
    ...{ roles: [{ character: 'Parte', least: 2, most: 2 }], notary: 'absent' },
    electronic: { answer: 'unknown', entity: office.entity, source: null, day: null },
  }
  const character = requestedCharacterFrom('Parte')
  const session = { deadline: IN_A_WEEK, act }
  expect(codes({ session, notarySigns: false })).toEqual(['role-missing'])
  const signers = ['CACX7605101P8', 'KAHO641101B39', 'NUPB801201QX7'].map((rfc, index) =>
    signerOf({ name: `Parte ${index}`, rfc, email: `a${index}@b.example`, character }),
  )
  expect(codes({ session, signers, notarySigns: false })).toContain('role-exceeded')
})
