import { expect, test } from 'vitest'
import { replaceUser } from '#server/db/people/users.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { before, days, minutes } from '#server/domain/time.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { completeSignature } from '#server/features/signatures/complete-signature.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { addSessionSigner } from '#server/features/signing-sessions/edit-session-signers.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { replaceSessionSigner } from '#server/features/signing-sessions/replace-session-signer.ts'
import { RequestedSigner } from '#server/features/signing-sessions/session-data.ts'
import { UserData } from '#server/features/users/user-data.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import {
  aCeremony,
  anOpenSession,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { external } from '#tests/support/office/guests.ts'
import {
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
  signBytes,
} from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const asked = (fields: Record<string, unknown>) => ({ step: 1, ...fields })

const reason = 'Se equivocaron de persona' as Parameters<typeof replaceSessionSigner>[2]['reason']

/** An open draft session of the scene's notary without signers. */
const aDraftSession = (system: TestSystem, { person, document }: Scene) =>
  createSigningSession(system, person, sessionOf([document], []))

const signersOf = async (system: TestSystem, id: Awaited<ReturnType<typeof aDraftSession>>['id']) =>
  (await findCeremony(system.db, id))?.signers ?? []

async function endCapacity(system: TestSystem, { user }: Pick<Scene, 'user'>) {
  const ended = { ...user, capacityTo: before(system.clock.now(), minutes(1)) }
  await system.db.transaction((trx) => replaceUser(trx, ended))
}

test.each(['Notario titular', 'Nоtario', 'N o t a r i o', 'Fedatario público', 'Testi\u200bgo'])(
  'asked signer: the character %j is refused, of users and of others',
  (character) => {
    const user = asked({ kind: 'user', userId: crypto.randomUUID(), character })
    expect(RequestedSigner.safeParse(user).success).toBe(false)
    expect(RequestedSigner.safeParse({ ...user, character: 'Testigo' }).success).toBe(true)
    expect(RequestedSigner.safeParse(external({ character })).success).toBe(false)
    expect(RequestedSigner.safeParse(external()).success).toBe(true)
  },
)

test('asked signer: a name that claims a notarial office is refused', () => {
  expect(RequestedSigner.safeParse(external({ name: 'Notario Benito Núñez' })).success).toBe(false)
  expect(RequestedSigner.safeParse(external({ name: 'Benito Notario Núñez' })).success).toBe(true)
})

test('user: names that claim a notarial office together are refused', () => {
  const data = {
    ...{ email: 'ana@notaria.mx', rfc: 'MULA800101AB1', curp: null, roles: ['CLERK'] },
    ...{ capacity: null, capacityOf: null, capacityFrom: null, capacityTo: null },
  }
  const named = (firstName: string, lastName: string) =>
    UserData.safeParse({ ...data, firstName, lastName }).success
  expect(named('Notario', 'Titular')).toBe(false)
  expect(named('Ana', 'Pérez, Notaria')).toBe(false)
  expect(named('Ana', 'Notario Ruiz')).toBe(true)
})

onEachSigningSystem('characters', (system) => {
  test('direct signature: a notary signs as their capacity, and the evidence takes it from the row', async () => {
    const scene = await aScene(system(), { user: { capacity: 'suplente' } })
    const { person, efirma, document } = scene
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.signatures).toMatchObject([
      { character: { kind: 'notarial', capacity: 'suplente' } },
    ])
    expect(facts.signatures[0]).not.toHaveProperty('declaredReason')
  })

  test('direct signature: a notary without a capacity in force signs nothing', async () => {
    for (const [index, user] of [{ capacity: null }, { capacityTo: 1 }].entries()) {
      const { person, efirma, document } = await aScene(system(), {
        user,
        office: { number: 40 + index },
      })
      const prepared = await prepareSignature(system(), person, {
        documentId: document.id,
        version: 1,
        certificate: efirma.cer,
      })
      expect(prepared).toMatchObject({ kind: 'refused', code: 'capacity-not-in-force' })
    }
  })

  test('capacity that ends between preparing and completing: no signature', async () => {
    const scene = await aScene(system())
    const { person, efirma, document } = scene
    const prepared = await prepareSignature(system(), person, {
      documentId: document.id,
      version: 1,
      certificate: efirma.cer,
    })
    if (prepared.kind === 'refused') throw new Error(prepared.sentence)
    const signature = await signBytes(efirma, prepared.toBeSigned)
    await endCapacity(system(), scene)
    const completing = completeSignature(system(), person, { preparedId: prepared.id, signature })
    await expect(completing).rejects.toMatchObject({ code: 'capacity-not-in-force' })
  })

  test('capacity that changes between preparing and completing: must be prepared again', async () => {
    const { person, user, efirma, document } = await aScene(system())
    const prepared = await prepareSignature(system(), person, {
      documentId: document.id,
      version: 1,
      certificate: efirma.cer,
    })
    if (prepared.kind === 'refused') throw new Error(prepared.sentence)
    const signature = await signBytes(efirma, prepared.toBeSigned)
    await system().db.transaction((trx) => replaceUser(trx, { ...user, capacity: 'suplente' }))
    const completing = completeSignature(system(), person, { preparedId: prepared.id, signature })
    await expect(completing).rejects.toMatchObject({ code: 'preparation-expired' })
  })

  test('stored claim of an earlier release: hinders its signer and the opening of its session', async () => {
    const { person, document, parties, user } = await aCeremony(system(), [1])
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map((party) => party.asked),
      ),
    )
    const claim = { character: 'Notario suplente' }
    await system().db.transaction((trx) => trx.updateTable('signers').set(claim).execute())
    await expect(signInSession(system(), parties[0]!, document, 2)).rejects.toThrow(
      /en qué carácter/,
    )
    const { hindrances } = await readSigningSession(system(), person, {
      signingSessionId: session.id,
    })
    expect([...hindrances.values()]).toEqual(['character-refused'])
    expect(user.capacity).toBe('titular')
  })

  test('clerk: is asked only with a declared character', async () => {
    const scene = await aScene(system())
    const clerk = await storedUser(system().db, scene.office, ['CLERK'], {
      rfc: 'CACX7605101P8',
      capacity: null,
    })
    const { id: signingSessionId } = await aDraftSession(system(), scene)
    const signer = { kind: 'user', userId: clerk.id, character: null, step: 1 } as const
    await expect(
      addSessionSigner(system(), scene.person, { signingSessionId, signer }),
    ).rejects.toMatchObject({ code: 'character-missing' })
    expect(await signersOf(system(), signingSessionId)).toEqual([])
  })

  test('same RFC twice: refused, in lower case too', async () => {
    const scene = await aScene(system())
    const { id: signingSessionId } = await aDraftSession(system(), scene)
    const add = (changes: Parameters<typeof external>[0] = {}) =>
      addSessionSigner(system(), scene.person, {
        signingSessionId,
        signer: RequestedSigner.parse(external(changes)),
      })
    expect(await add()).toBe('added')
    await expect(add()).rejects.toMatchObject({ code: 'signer-twice' })
    await expect(add({ rfc: 'nupb801201qx7', character: 'COMPRADOR' })).rejects.toMatchObject({
      code: 'signer-twice',
    })
    await expect(add({ name: 'Otra Persona', character: 'Testigo' })).rejects.toMatchObject({
      code: 'signer-differs',
    })
    expect(await signersOf(system(), signingSessionId)).toHaveLength(1)
  })

  test('same RFC with another character: one signer, one signature that names both', async () => {
    const scene = await aCeremony(system(), [1])
    const [party] = scene.parties
    if (!party) throw new Error('one party')
    const { id: signingSessionId } = await aDraftSession(system(), scene)
    const add = (character: string) =>
      addSessionSigner(system(), scene.person, {
        signingSessionId,
        signer: RequestedSigner.parse({ ...party.asked, character }),
      })
    expect(await add('Compradora')).toBe('added')
    expect(await add('Apoderada de la vendedora')).toBe('joined')
    await openSigningSession(system(), scene.person, { signingSessionId })
    await signInSession(system(), party, scene.document, 2)
    const { facts } = await readEvidence(system(), scene.person, { documentId: scene.document.id })
    expect(facts.signatures).toMatchObject([
      { character: { kind: 'declared', texts: ['Compradora', 'Apoderada de la vendedora'] } },
    ])
  })

  test('two additions of the same person at once: one signer', async () => {
    const scene = await aScene(system())
    const { id: signingSessionId } = await aDraftSession(system(), scene)
    const add = () =>
      addSessionSigner(system(), scene.person, {
        signingSessionId,
        signer: RequestedSigner.parse(external()),
      })
    const outcomes = await Promise.allSettled([add(), add(), add()])
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(await signersOf(system(), signingSessionId)).toHaveLength(1)
  })

  test('new session: repeated people are one signer each', async () => {
    const scene = await aScene(system())
    const signers = [external(), external({ character: 'Testigo', step: 2 })].map((one) =>
      RequestedSigner.parse(one),
    )
    const { id } = await createSigningSession(
      system(),
      scene.person,
      sessionOf([scene.document], signers),
    )
    expect(await signersOf(system(), id)).toMatchObject([
      { place: 1, character: { kind: 'declared', texts: ['Comprador', 'Testigo'] } },
    ])
  })

  test('replacement: by a person who is in the session already is refused', async () => {
    const { person, document, parties } = await aCeremony(system(), [1, 2])
    const session = await anOpenSession(
      system(),
      person,
      sessionOf(
        [document],
        parties.map((party) => party.asked),
      ),
    )
    const [first] = await signersOf(system(), session.id)
    const replacing = replaceSessionSigner(system(), person, {
      signingSessionId: session.id,
      signerId: first!.id,
      by: parties[1]!.asked,
      reason,
    })
    await expect(replacing).rejects.toMatchObject({ code: 'signer-twice' })
  })

  test('notary out of office: may be asked as a party, which is no notarial signature', async () => {
    const scene = await aScene(system())
    const other = await storedUser(system().db, scene.office, ['NOTARY'], {
      rfc: 'CACX7605101P8',
      capacity: 'adscrito',
      capacityTo: before(system().clock.now(), days(1)),
    })
    const signer = RequestedSigner.parse(
      asked({ kind: 'user', userId: other.id, character: 'Donante' }),
    )
    const session = await anOpenSession(
      system(),
      scene.person,
      sessionOf([scene.document], [signer]),
    )
    const { hindrances } = await readSigningSession(system(), asPerson(scene.user), {
      signingSessionId: session.id,
    })
    expect([...hindrances]).toEqual([])
    expect(await signersOf(system(), session.id)).toMatchObject([
      { character: { kind: 'declared', texts: ['Donante'] } },
    ])
  })
})
