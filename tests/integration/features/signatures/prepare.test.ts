import { expect, test } from 'vitest'
import { replaceDocument } from '#server/db/documents/documents.ts'
import { findPreparedSignature } from '#server/db/documents/prepared-signatures.ts'
import { readSignedAttributes } from '#server/domain/pkcs/signed-attributes.ts'
import { minutes, parseInstant, seconds } from '#server/domain/time.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import {
  aPdf,
  aScene,
  onEachSigningSystem,
  type Scene,
} from '#tests/support/office/signing-system.ts'

const asked = ({ document, efirma }: Scene, changes = {}) => ({
  documentId: document.id,
  version: document.version,
  certificate: efirma.cer,
  ...changes,
})

onEachSigningSystem('preparing a signature', (system) => {
  const newEvents = async () =>
    (await system().log())
      .slice(1)
      .map(({ action, result, details }) => ({ action, result, details }))

  test('preparation: commits to the document and holds it', async () => {
    const scene = await aScene(system())
    const outcome = await prepareSignature(system(), scene.person, asked(scene))
    if (outcome.kind !== 'prepared') throw new Error(outcome.sentence)
    expect(readSignedAttributes(outcome.toBeSigned).digest).toEqual(new Uint8Array(outcome.digest))
    const stored = await findPreparedSignature(system().db, outcome.id)
    expect(stored).toMatchObject({ state: 'open', userId: scene.person.userId, method: 'browser' })
    expect(outcome.expiresAt).toBe(system().clock.now() + minutes(2))
    expect(await newEvents()).toMatchObject([
      {
        action: 'signature.prepared',
        result: 'success',
        details: { prepared: outcome.id, version: 1, sha256: outcome.documentSha256 },
      },
    ])
  })

  test.each([
    ['a CSD', { kind: 'csd', branch: 'Matriz' }, 'csd'],
    ['an expired one', { notAfter: parseInstant('2026-01-01T00:00:00Z') }, 'expired'],
    ['one of the future', { notBefore: parseInstant('2026-12-01T00:00:00Z') }, 'not-yet-valid'],
    ['of another person', { rfc: 'CACX7605101P8' }, 'other-person'],
  ] as const)('%s is refused with its sentence', async (_, request, code) => {
    const scene = await aScene(system())
    const { cer: certificate } = await testEfirma(request)
    const outcome = await prepareSignature(system(), scene.person, asked(scene, { certificate }))
    expect(outcome).toMatchObject({ kind: 'refused', code, sentence: expect.stringMatching(/\.$/) })
    expect(await newEvents()).toEqual([
      { action: 'signature.refused', result: 'refused', details: { code, method: 'browser' } },
    ])
  })

  test('files that are no certificate are refused', async () => {
    const scene = await aScene(system())
    const codes: string[] = []
    for (const certificate of [
      scene.efirma.key,
      await aPdf(),
      new Uint8Array(),
      Buffer.from('x'),
    ]) {
      const outcome = await prepareSignature(system(), scene.person, asked(scene, { certificate }))
      codes.push(outcome.kind === 'refused' ? outcome.code : outcome.kind)
    }
    expect(codes).toEqual(['is-a-private-key', 'is-a-pdf', 'empty-file', 'not-a-certificate'])
  })

  test('an issuer that the office does not trust is refused', async () => {
    const scene = await aScene(system())
    const untrusting = { ...system(), trust: { ...system().trust, policy: noAnchors } }
    const outcome = await prepareSignature(untrusting, scene.person, asked(scene))
    expect(outcome).toMatchObject({ kind: 'refused', code: 'untrusted-issuer' })
  })

  test('a notary whose capacity ended does not sign; a lawyer needs none', async () => {
    const capacityTo = parseInstant('2026-11-19T00:00:00Z')
    const ended = await aScene(system(), { user: { capacityTo } })
    const outcome = await prepareSignature(system(), ended.person, asked(ended))
    expect(outcome).toMatchObject({ kind: 'refused', code: 'capacity-not-in-force' })
    const user = { capacity: null, rfc: 'MULA800101AB1' }
    const lawyer = asPerson(await storedUser(system().db, ended.office, ['LAWYER'], user))
    expect(await prepareSignature(system(), lawyer, asked(ended))).toMatchObject({
      kind: 'prepared',
    })
  })

  test('forbidden signer: refused and logged', async () => {
    const scene = await aScene(system())
    const clerk = asPerson(await storedUser(system().db, scene.office, ['CLERK']))
    await expect(prepareSignature(system(), clerk, asked(scene))).rejects.toMatchObject({
      code: 'forbidden',
    })
    const elsewhere = await storedOffice(system().db, { number: 13 })
    const notary = asPerson(await storedUser(system().db, elsewhere, ['NOTARY']))
    await expect(prepareSignature(system(), notary, asked(scene))).rejects.toMatchObject({
      code: 'not-found',
    })
    await expect(prepareSignature(system(), stranger(), asked(scene))).rejects.toMatchObject({
      code: 'not-signed-in',
    })
    expect(await newEvents()).toMatchObject([
      { action: 'access.refused', details: { asked: 'document.sign', code: 'forbidden' } },
      { action: 'access.refused', details: { asked: 'document.sign', code: 'not-found' } },
    ])
  })

  test('another version, and a document that is over, are refused', async () => {
    const scene = await aScene(system())
    const { document, person } = scene
    await expect(
      prepareSignature(system(), person, asked(scene, { version: 2 })),
    ).rejects.toMatchObject({ code: 'stale-version' })
    await system().db.transaction((trx) =>
      replaceDocument(trx, document, { ...document, state: 'cancelled' }),
    )
    await expect(prepareSignature(system(), person, asked(scene))).rejects.toMatchObject({
      code: 'wrong-state',
    })
    expect(await newEvents()).toEqual([])
  })

  test('another person waits until the lease is over; the same person prepares again', async () => {
    const scene = await aScene(system())
    const rfc = { rfc: 'MULA800101AB1', capacity: 'suplente' }
    const other = asPerson(await storedUser(system().db, scene.office, ['NOTARY'], rfc))
    const first = await prepareSignature(system(), scene.person, asked(scene))
    const second = await prepareSignature(system(), scene.person, asked(scene))
    if (first.kind !== 'prepared' || second.kind !== 'prepared') throw new Error('refused')
    expect((await findPreparedSignature(system().db, first.id))?.state).toBe('dropped')
    expect((await findPreparedSignature(system().db, second.id))?.state).toBe('open')
    await expect(prepareSignature(system(), other, asked(scene))).rejects.toMatchObject({
      code: 'someone-signing',
    })
    system().wait(seconds(121))
    expect(await prepareSignature(system(), other, asked(scene))).toMatchObject({
      kind: 'prepared',
    })
  })

  test('preparation: one of two signers gets the lease', async () => {
    const scene = await aScene(system())
    const rfc = { rfc: 'MULA800101AB1', capacity: 'suplente' }
    const other = asPerson(await storedUser(system().db, scene.office, ['NOTARY'], rfc))
    const outcomes = await Promise.allSettled(
      [scene.person, other, scene.person, other].map((person) =>
        prepareSignature(system(), person, asked(scene)),
      ),
    )
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    expect(won).toHaveLength(2)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toMatchObject([
      { reason: { code: 'someone-signing' } },
      { reason: { code: 'someone-signing' } },
    ])
    const open = await system()
      .db.selectFrom('prepared_signatures')
      .select(['user_id'])
      .where('state', '=', 'open')
      .execute()
    expect(open).toHaveLength(1)
  })
})

const noAnchors = async (
  at: Parameters<import('#server/ports/trust-store.ts').TrustStore['policy']>[0],
) => ({
  anchors: [],
  candidates: [],
  at,
})
