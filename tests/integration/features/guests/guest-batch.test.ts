import { expect, test } from 'vitest'
import type { Document } from '#server/domain/documents/document.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { readBatch } from '#server/features/signatures/read-batch.ts'
import { signManyOnServer } from '#server/features/signatures/sign-many-on-server.ts'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import { stranger } from '#tests/support/builders.ts'
import {
  aGuest,
  aGuestInvitation,
  aLink,
  external,
  type GuestInvitation,
  mustResume,
  opened,
} from '#tests/support/office/guests.ts'
import { addUnjudged } from '#tests/support/office/session-rows.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { listReportedSignatures } from '#tests/support/pdf/reported-signatures.ts'

function shown(
  { efirma }: Pick<GuestInvitation, 'efirma'>,
  documents: readonly Pick<Document, 'id'>[],
) {
  return {
    documents: documents.map(({ id }) => ({ documentId: id, version: 2 })),
    certificate: efirma.cer.slice(),
    privateKey: efirma.key.slice(),
    password: TEST_PASSWORD,
    consent: true,
  }
}

onEachSigningSystem('a batch of an external signer', (system) => {
  test('are one list, signed with a key that is opened once', async () => {
    const scene = await aGuestInvitation(system(), [external()], { documents: 3 })
    const { guest } = await aGuest(system(), scene)
    const batch = await readBatch(system(), guest, {})
    expect(batch).toMatchObject({ name: 'Benito Núñez Peña', more: 0, needsPresence: false })
    expect(batch.documents.map(({ document }) => document.id).sort()).toEqual(
      scene.drafts.map(({ id }) => id).sort(),
    )
    const outcome = await signManyOnServer(system(), guest, shown(scene, scene.drafts))
    expect(outcome).toMatchObject({ kind: 'tried', by: { kind: 'guest' } })
    for (const { id } of scene.drafts)
      expect(await listReportedSignatures(system().db, id)).toMatchObject([
        { signerId: scene.signerIds[0], method: 'server', report: { verdict: 'VALID' } },
      ])
    expect((await readBatch(system(), guest, {})).documents).toEqual([])
    const { documents } = await readGuestSession(system(), guest)
    expect(documents.map(({ held }) => held)).toEqual(['signed', 'signed', 'signed'])
    const views = (await system().log()).filter(({ action }) => action === 'signing-session.viewed')
    expect(views.filter(({ actor }) => actor.kind === 'guest')).toHaveLength(3)
  })

  test('batch: has a document to sign behind more than a page of those that are being judged', async () => {
    const scene = await aGuestInvitation(system())
    const { guest } = await aGuest(system(), scene)
    const { id } = scene.document
    await addUnjudged(system(), scene.sessionId, id, 260)
    const batch = await readBatch(system(), guest, {})
    expect(batch.documents.map(({ document }) => document.id)).toEqual([id])
    expect(batch).toMatchObject({ unreadCount: 260, more: 0 })
  })

  test('are those of their session and of their turn', async () => {
    const later = external({ name: 'Clara', rfc: 'NUPC801201QX7', step: 2 })
    const scene = await aGuestInvitation(system(), [external(), later], { documents: 2 })
    const other = await aGuestInvitation(system(), [external()], { beside: scene })
    const { guest } = await aGuest(system(), scene)
    const { guest: second } = await aGuest(system(), scene, 1)
    expect((await readBatch(system(), second, {})).documents).toEqual([])
    // A document of another session for the same RFC: neither signed nor reported.
    const both = [...other.drafts, ...scene.drafts]
    const outcome = await signManyOnServer(system(), guest, shown(scene, both))
    expect(outcome.kind === 'tried' && outcome.results.map(({ id }) => id).sort()).toEqual(
      scene.drafts.map(({ id }) => id).sort(),
    )
    await expect(
      signManyOnServer(system(), guest, shown(scene, other.drafts)),
    ).rejects.toMatchObject({ code: 'not-found' })
  })

  test('are not shown or signed before the aviso de privacidad, nor without a link', async () => {
    const scene = await aGuestInvitation(system(), [external()], { documents: 2 })
    const token = await opened(system(), await aLink(system(), scene))
    const guest = await mustResume(system(), token)
    const refused = { code: 'consent-needed' }
    await expect(readBatch(system(), guest, {})).rejects.toMatchObject(refused)
    const input = shown(scene, scene.drafts)
    await expect(signManyOnServer(system(), guest, input)).rejects.toMatchObject(refused)
    expect(input.privateKey.every((byte) => byte === 0)).toBe(true)
    const signing = signManyOnServer(system(), stranger(), shown(scene, scene.drafts))
    await expect(signing).rejects.toMatchObject({ code: 'not-signed-in' })
  })
})
