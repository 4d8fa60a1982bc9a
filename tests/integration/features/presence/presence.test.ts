import { expect, test } from 'vitest'
import { listPresenceOf, listPresenceProofs } from '#server/db/presence/presence-proofs.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { assertionOptions } from '#server/domain/identity/webauthn-options.ts'
import { checkExportedPresence } from '#server/domain/signing/check-exported-presence.ts'
import { digestOfExport, exportOf } from '#server/domain/signing/exported-presence.ts'
import { digestOfList, readCanonicalList } from '#server/domain/signing/presence.ts'
import { before, minutes, seconds } from '#server/domain/time.ts'
import { beginWebauthnAuthentication } from '#server/features/mfa/begin-webauthn-authentication.ts'
import { stepUp } from '#server/features/mfa/step-up.ts'
import { beginPresence } from '#server/features/presence/begin-presence.ts'
import { provePresence } from '#server/features/presence/prove-presence.ts'
import { readPresence } from '#server/features/presence/read-presence.ts'
import { exportPresence } from '#server/steps/signing/export-presence.ts'
import { findPresence, mustBePresent } from '#server/steps/signing/find-presence.ts'
import { storedUser, stranger } from '#tests/support/builders.ts'
import {
  aSignedInUser,
  colleague,
  recorded,
  shown,
  withApp,
} from '#tests/support/keys/second-factors.ts'
import { registeredKey, signedIn } from '#tests/support/keys/security-keys.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const at = (documents: readonly Document[]) =>
  documents.map(({ id, version }) => ({ documentId: id, version }))

/** Two drafts of an office that requires presence, and a user who may sign them. */
async function scene(system: TestSystem) {
  const owner = await aSignedInUser(system, { presence: 'required' })
  const documents = [await draft(system, owner.person), await draft(system, owner.person)]
  const contents = await contentsOf(system, owner.person, documents)
  return { ...owner, documents, contents }
}

let drafts = 0
const draft = (system: TestSystem, person: Person) => {
  drafts += 1
  return aDraft(system, person, new TextEncoder().encode(`%PDF-1.7 ${drafts}`), `Acta ${drafts}`)
}

async function contentsOf(system: TestSystem, person: Person, documents: readonly Document[]) {
  const view = await readPresence(system, person, { documentIds: documents.map(({ id }) => id) })
  return view.documents.map(({ document, version }) => ({
    documentId: document.id,
    sha256: version.sha256,
  }))
}

onEachSystem('presence before signing', (current) => {
  async function withKey() {
    const system = current()
    const set = await scene(system)
    const { key } = await registeredKey(system, set.person)
    const from = (await system.log()).length
    const answered = async (documents: readonly Document[] = set.documents) =>
      key.assert(await beginPresence(system, set.person, { documents: at(documents) }))
    const prove = (response: unknown, person = set.person) =>
      provePresence(system, person, { method: 'WEBAUTHN', response })
    const present = (contents = set.contents, person = set.person) =>
      findPresence(system.db, set.office, person, contents, system.clock.now())
    return { system, ...set, key, from, answered, prove, present }
  }

  test('a key proves it for all listed documents, for five minutes', async () => {
    const { system, office, person, documents, contents, from, answered, prove, present } =
      await withKey()
    const needed = () => mustBePresent(system.db, office, person, contents, system.clock.now())
    await expect(needed()).rejects.toMatchObject({ code: 'presence-needed' })
    const outcome = await prove(await answered())
    if (outcome.kind !== 'proven') throw new Error(outcome.kind)
    const { proof } = outcome
    expect(await needed()).toEqual({ presence: 'webauthn', presenceProof: proof.id })
    expect(await present(contents.slice(1))).toMatchObject({ presenceProof: proof.id })
    expect(await recorded(system, from)).toEqual([
      `presence.proven success ${JSON.stringify({
        documents: 2,
        evidence: digestOfExport(exportOf(proof)),
        list: digestOfList(proof.list),
        method: 'webauthn',
      })}`,
    ])
    const ids = documents.map(({ id }) => id)
    expect(await readPresence(system, person, { documentIds: ids })).toMatchObject({
      isNeeded: false,
      methods: ['WEBAUTHN'],
    })
    system.wait(seconds(299))
    expect(await present()).toBeDefined()
    system.wait(seconds(1))
    expect(await present()).toBeUndefined()
    await expect(needed()).rejects.toMatchObject({ code: 'presence-needed' })
  })

  test('presence proof: is stored unchanged and can be verified again', async () => {
    const { system, user, documents, contents, answered, prove } = await withKey()
    const outcome = await prove(await answered())
    if (outcome.kind !== 'proven') throw new Error(outcome.kind)
    for (const { id } of documents)
      expect(await listPresenceOf(system.db, id)).toEqual([outcome.proof])
    expect(await listPresenceProofs(system.db, undefined, 10)).toEqual([outcome.proof])
    expect(await listPresenceProofs(system.db, outcome.proof, 10)).toEqual([])
    const { proofs } = await exportPresence(system.db, documents[0]!.id)
    expect(proofs.map((proof) => checkExportedPresence(proof))).toEqual([
      { kind: 'genuine', faults: [] },
    ])
    const list = readCanonicalList(outcome.proof.list) ?? []
    expect(list.map(({ signer }) => signer)).toEqual([user.id, user.id])
    expect(new Set(list.map(({ sha256 }) => sha256))).toEqual(
      new Set(contents.map(({ sha256 }) => sha256)),
    )
    const change = (table: 'presence_proofs' | 'presence_proof_documents') =>
      system.db.transaction((trx) => trx.deleteFrom(table).execute())
    await expect(change('presence_proofs')).rejects.toThrow('append-only')
    await expect(change('presence_proof_documents')).rejects.toThrow('append-only')
  })

  test('exported presence: what was proven later is left out on request', async () => {
    const { system, documents, answered, prove } = await withKey()
    const [document] = documents
    if (!document) throw new Error('the scene has documents')
    const first = await prove(await answered())
    const then = system.clock.now()
    system.wait(minutes(6))
    await prove(await answered())
    const timesUntil = async (until?: typeof then) =>
      (await exportPresence(system.db, document.id, until)).proofs.length
    expect(first.kind).toBe('proven')
    expect(await timesUntil()).toBe(2)
    expect(await timesUntil(then)).toBe(1)
    expect(await timesUntil(before(then, seconds(1)))).toBe(0)
  })

  test('presence proof: is bound to these documents, their contents and the user', async () => {
    const { system, office, person, documents, contents, answered, prove, present } =
      await withKey()
    expect(await prove(await answered(documents.slice(0, 1)))).toMatchObject({ kind: 'proven' })
    const [first, second] = contents
    expect(await present([first!])).toBeDefined()
    expect(await present([second!])).toBeUndefined()
    expect(await present(contents)).toBeUndefined()
    expect(await present([{ ...first!, sha256: second!.sha256 }])).toBeUndefined()
    const other = await colleague(system, office)
    expect(await present([first!], other.person)).toBeUndefined()
    const third = await draft(system, person)
    expect(await present(await contentsOf(system, person, [third]))).toBeUndefined()
  })

  test('an answer counts once', async () => {
    const { system, answered, prove, from } = await withKey()
    const response = await answered()
    expect(await prove(response)).toMatchObject({ kind: 'proven' })
    expect(await prove(response)).toMatchObject({ kind: 'refused' })
    expect((await recorded(system, from)).at(-1)).toBe(
      'presence.refused refused {"attemptsLeft":4,"factor":"WEBAUTHN","reason":"used-challenge"}',
    )
    const again = await answered()
    const outcomes = await Promise.all([again, again, again].map((one) => prove(one)))
    expect(outcomes.map(({ kind }) => kind).sort()).toEqual(['proven', 'refused', 'refused'])
  })

  test('an answer to anything else proves nothing', async () => {
    const { system, user, person, key, answered, prove, present } = await withKey()
    const forStepUp = key.assert(await beginWebauthnAuthentication(system, person, {}))
    expect(await prove(forStepUp)).toMatchObject({ kind: 'refused' })
    // Conversely, a presence proof does not confirm the identity.
    expect(
      await stepUp(system, person, { method: 'WEBAUTHN', response: await answered() }),
    ).toMatchObject({ kind: 'refused' })
    const own = assertionOptions({
      publicOrigin: 'http://localhost:3000',
      challenge: 'AAAA',
      keys: [],
      verification: 'required',
    })
    expect(await prove(key.assert(own))).toMatchObject({ kind: 'refused' })
    expect(await prove({})).toMatchObject({ kind: 'refused' })
    // Another session of the same person has not asked for it.
    const elsewhere = await signedIn(system, user)
    expect(await prove(await answered(), elsewhere)).toMatchObject({ kind: 'refused' })
    expect(await present()).toBeUndefined()
  })

  test('the key must be there, know its person, and be of this place', async () => {
    const { system, key, answered, prove, present } = await withKey()
    for (const [change, back] of [
      [{ isPresent: false }, { isPresent: true }],
      [{ isVerified: false }, { isVerified: true }],
      [{ origin: 'https://elsewhere.example' }, { origin: 'http://localhost:3000' }],
    ]) {
      Object.assign(key.settings, change)
      expect(await prove(await answered())).toMatchObject({ kind: 'refused' })
      Object.assign(key.settings, back)
    }
    expect(await present()).toBeUndefined()
    const late = await answered()
    system.wait(minutes(5))
    expect(await prove(late)).toMatchObject({ kind: 'refused' })
    // A key whose counter goes back is marked as suspect.
    const counted = key.settings.counter
    key.settings.counter = 0
    expect(await prove(await answered())).toMatchObject({ kind: 'refused' })
    key.settings.counter = counted + 10
    await expect(answered()).rejects.toMatchObject({ code: 'factor-refused' })
  })

  test('a code proves it where no script asks a key', async () => {
    const system = current()
    const { person, documents, contents, office } = await scene(system)
    const { secret, backupCodes } = await withApp(system, person)
    const from = (await system.log()).length
    const prove = (code: string) =>
      provePresence(system, person, { method: 'TOTP', code, documents: at(documents) })
    expect(await prove('000000')).toMatchObject({ kind: 'refused', attemptsLeft: 4 })
    // A backup code may have lain in a drawer for years.
    expect(await prove(backupCodes[0] ?? '')).toMatchObject({ kind: 'refused' })
    const code = shown(system, secret)
    const outcome = await prove(code)
    if (outcome.kind !== 'proven') throw new Error(outcome.kind)
    expect(outcome.proof.means).toMatchObject({
      method: 'totp',
      timeStep: Math.floor(system.clock.now() / 30_000),
    })
    expect(await prove(code)).toMatchObject({ kind: 'refused', hint: 'replayed' })
    expect(await mustBePresent(system.db, office, person, contents, system.clock.now())).toEqual({
      presence: 'totp',
      presenceProof: outcome.proof.id,
    })
    const { proofs } = await exportPresence(system.db, documents[1]!.id)
    expect(proofs.map((proof) => checkExportedPresence(proof).kind)).toEqual(['log-only'])
    expect((await recorded(system, from)).map((line) => line.split(' ')[0])).toEqual([
      'presence.refused',
      'presence.refused',
      'presence.proven',
      'presence.refused',
    ])
  })

  test('five attempts in a quarter of an hour', async () => {
    const system = current()
    const { person, documents } = await scene(system)
    const { secret } = await withApp(system, person)
    const prove = (code: string) =>
      provePresence(system, person, { method: 'TOTP', code, documents: at(documents) })
    for (let turn = 0; turn < 5; turn += 1) await prove('000000')
    await expect(prove(shown(system, secret))).rejects.toMatchObject({ code: 'too-many-attempts' })
  })

  test('presence: refused for a user who may not sign', async () => {
    const system = current()
    const { office, documents } = await scene(system)
    const clerk = await signedIn(system, await storedUser(system.db, office, ['CLERK']))
    const input = { documents: at(documents) }
    await expect(beginPresence(system, clerk, input)).rejects.toMatchObject({ code: 'forbidden' })
    const code = { method: 'TOTP' as const, code: '000000', ...input }
    await expect(provePresence(system, clerk, code)).rejects.toMatchObject({ code: 'forbidden' })
    const { person: foreign } = await aSignedInUser(system, { number: 13 })
    await expect(beginPresence(system, foreign, input)).rejects.toMatchObject({ code: 'not-found' })
    await expect(beginPresence(system, stranger(), input)).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    await expect(
      beginPresence(system, (await colleague(system, office)).person, input),
    ).rejects.toMatchObject({ code: 'factor-refused' })
  })

  test('presence: not required if the office does not ask, nor from guests', async () => {
    const system = current()
    const { office, person, contents } = await scene(system)
    const now = system.clock.now()
    const relaxed = { ...office, presence: 'none' as const }
    expect(await mustBePresent(system.db, relaxed, person, contents, now)).toEqual({
      presence: 'not-asked',
      presenceProof: null,
    })
    expect(await mustBePresent(system.db, office, { userId: null }, contents, now)).toEqual({
      presence: 'efirma',
      presenceProof: null,
    })
  })
})
