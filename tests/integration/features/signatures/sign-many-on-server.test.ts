import { expect, test } from 'vitest'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { readBatch } from '#server/features/signatures/read-batch.ts'
import {
  type SignManyOnServer,
  signManyOnServer,
} from '#server/features/signatures/sign-many-on-server.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import {
  aCeremony,
  anOpenSession,
  type Party,
  sessionOf,
} from '#tests/support/office/ceremonies.ts'
import { aScene, onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

function asked(
  documents: readonly Pick<Document, 'id'>[],
  { efirma }: Pick<Party, 'efirma'>,
  changes: Partial<SignManyOnServer> = {},
): SignManyOnServer {
  return {
    documents: documents.map(({ id }) => ({ documentId: id, version: 2 })),
    certificate: efirma.cer.slice(),
    privateKey: efirma.key.slice(),
    password: TEST_PASSWORD,
    consent: true,
    ...changes,
  }
}

async function aWaitingBatch(system: TestSystem, count: number) {
  const scene = await aCeremony(system, [1], count)
  const { person, drafts, parties } = scene
  const [party] = parties
  if (!party) throw new Error('the session has no such party')
  const session = await anOpenSession(system, person, sessionOf(drafts, [party.asked]))
  return { ...scene, party, session }
}

onEachSigningSystem('signing a batch with a key in the memory of the server', (system) => {
  const codes = (outcome: Awaited<ReturnType<typeof signManyOnServer>>) =>
    outcome.kind === 'tried' ? outcome.results.map(({ code }) => code) : outcome

  test('signs each of them, and leaves nothing of the key', async () => {
    const { drafts, party, session } = await aWaitingBatch(system(), 3)
    const before = await readBatch(system(), party.person, { signingSessionId: session.id })
    expect(before.documents.map(({ document }) => document.id).sort()).toEqual(
      drafts.map(({ id }) => id).sort(),
    )
    const input = asked(drafts, party)
    expect(codes(await signManyOnServer(system(), party.person, input))).toEqual([
      'signed',
      'signed',
      'signed',
    ])
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    for (const { id } of drafts) {
      const [signature] = await listReportedSignatures(system().db, id)
      expect(signature).toMatchObject({ method: 'server', report: { verdict: 'VALID' } })
    }
    expect((await readBatch(system(), party.person, {})).documents).toEqual([])
    expect(JSON.stringify(await system().log())).not.toContain(TEST_PASSWORD)
  })

  test('a document that cannot be signed does not stop the others', async () => {
    const { drafts, party } = await aWaitingBatch(system(), 3)
    const elsewhere = await aScene(system(), { office: { number: 77 } })
    const [first, second] = drafts as [Document, Document]
    await signManyOnServer(system(), party.person, asked([first], party))
    const again = await signManyOnServer(system(), party.person, asked([first, second], party))
    expect(codes(again)).toEqual(['already-signed', 'signed'])
    // A document of another office: neither signed nor reported.
    const others = await signManyOnServer(
      system(),
      party.person,
      asked([elsewhere.document, second], party),
    )
    expect(codes(others)).toEqual(['already-signed'])
    await expect(
      signManyOnServer(system(), party.person, asked([elsewhere.document], party)),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('cancelled session: nothing can be signed', async () => {
    const { person, drafts, party, session } = await aWaitingBatch(system(), 1)
    await cancelSigningSession(system(), person, {
      signingSessionId: session.id,
      reason: 'El comprador desistió' as Parameters<typeof cancelSigningSession>[2]['reason'],
    })
    const outcome = await signManyOnServer(system(), party.person, asked(drafts, party))
    expect(codes(outcome)).toEqual([expect.not.stringMatching('^signed$')])
    expect((await readBatch(system(), party.person, {})).documents).toEqual([])
  })

  test('a wrong key is said once, before anything is signed', async () => {
    const { drafts, party } = await aWaitingBatch(system(), 2)
    const input = asked(drafts, party, { password: 'otra', consent: true })
    expect(await signManyOnServer(system(), party.person, input)).toEqual({
      kind: 'refused',
      sentences: { password: expect.stringMatching(/no corresponde a esta clave privada/) },
    })
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    const refusals = (await system().log()).filter(({ action }) => action === 'signature.refused')
    expect(refusals.map(({ details }) => details.code)).toEqual(['wrong-password'])
    for (const { id } of drafts)
      expect(await findDocument(system().db, id)).toMatchObject({ version: 2 })
  })

  test('an office that switched it off refuses, and the key is wiped all the same', async () => {
    const scene = await aScene(system(), { office: { serverSigning: 'disabled' } })
    const input = asked([scene.document], scene)
    await expect(signManyOnServer(system(), scene.person, input)).rejects.toMatchObject({
      code: 'server-signing-disabled',
    })
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
  })
})
