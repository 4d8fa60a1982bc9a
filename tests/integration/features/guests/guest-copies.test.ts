import { expect, test } from 'vitest'
import { listMail } from '#server/db/mail/outbox.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { days } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { openVersion } from '#server/features/documents/open-version.ts'
import { readGuestDocument } from '#server/features/guests/read-guest-document.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { origin } from '#tests/support/builders.ts'
import { signInSession } from '#tests/support/office/ceremonies.ts'
import {
  aGuest,
  aGuestInvitation,
  external,
  type GuestInvitation,
  mustResume,
  rejectedWith,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const reason = Reason.parse('No se hará')

/** A session with two signers and two documents; the first signer has signed the first document. */
async function halfSigned(system: TestSystem) {
  const emails = ['benito@correo.example', 'clara@correo.example']
  const signers = [
    external({ email: emails[0] }),
    external({ email: emails[1], name: 'Clara Ruiz', rfc: 'RUPC801201QX7' }),
  ]
  const scene = await aGuestInvitation(system, signers, { documents: 2 })
  const first = await aGuest(system, scene)
  const second = await aGuest(system, scene, 1)
  const [signed, other] = scene.drafts.map(({ id }) => id) as [DocumentId, DocumentId]
  await signInSession(system, { person: first.guest, efirma: scene.efirma }, { id: signed }, 2)
  return { ...scene, first, second, signed, other }
}

const cancel = (system: TestSystem, { person, sessionId }: GuestInvitation) =>
  cancelSigningSession(system, person, { signingSessionId: sessionId, reason })

onEachSigningSystem('the signed copy of a guest whose session ends early', (system) => {
  const lettersTo = async ({ office }: GuestInvitation, kind: string) => {
    const filter = { officeId: office.id, state: 'waiting' as const, limit: 100 }
    const mail = (await listMail(system().db, filter)).filter((one) => one.kind === kind)
    return Object.fromEntries(
      mail.map(({ to, body }) => [to.address, body.kind === 'clear' ? body.text : '']),
    )
  }

  test('stays readable for its signer after a cancellation, but nothing can be signed', async () => {
    const scene = await halfSigned(system())
    const { first, second, signed, other } = scene
    await cancel(system(), scene)
    expect(await resumeGuest(system(), origin, second.token)).toBeUndefined()
    const guest = await mustResume(system(), first.token)
    const { session, documents } = await readGuestSession(system(), guest)
    expect(session.state).toBe('cancelled')
    expect(documents.map(({ held }) => held)).toEqual(['signed', 'nothing'])
    expect(await readGuestDocument(system(), guest, { documentId: signed })).toMatchObject({
      held: 'signed',
      version: { version: 3 },
    })
    const wanted = { version: 3, purpose: 'download' } as const
    const copy = await openVersion(system(), guest, { ...wanted, documentId: signed })
    expect(copy.version.version).toBe(3)
    const refused = { code: expect.stringMatching(/^(?:session-over|not-found|wrong-state)$/) }
    const rest = { ...wanted, version: 2, documentId: other }
    await expect(openVersion(system(), guest, rest)).rejects.toMatchObject(refused)
    await expect(readGuestDocument(system(), guest, { documentId: other })).rejects.toMatchObject(
      refused,
    )
    const input = { documentId: other, version: 2, certificate: scene.efirma.cer }
    await expect(prepareSignature(system(), guest, input)).rejects.toMatchObject({
      code: 'session-over',
    })
    const letters = await lettersTo(scene, 'signing-cancelled')
    expect(letters['benito@correo.example']).toContain('la copia que firmó')
    expect(letters['clara@correo.example']).not.toContain('copia')
  })

  test('is theirs when another one rejects', async () => {
    const scene = await halfSigned(system())
    const efirma = await testEfirma({ rfc: 'RUPC801201QX7', name: 'CLARA RUIZ' })
    expect(await rejectedWith(system(), scene.second.guest, efirma, reason)).toEqual({
      kind: 'rejected',
      hasCopy: false,
    })
    const guest = await mustResume(system(), scene.first.token)
    expect(await readGuestDocument(system(), guest, { documentId: scene.signed })).toMatchObject({
      held: 'signed',
      session: { state: 'rejected' },
    })
    expect(await resumeGuest(system(), origin, scene.second.token)).toBeUndefined()
    const letters = await lettersTo(scene, 'signing-rejected')
    expect(letters['benito@correo.example']).toContain('la copia que firmó')
  })

  test('is theirs when they reject the rest', async () => {
    const { efirma, first } = await halfSigned(system())
    expect(await rejectedWith(system(), first.guest, efirma, reason)).toMatchObject({
      hasCopy: true,
    })
    await mustResume(system(), first.token)
  })

  test('is theirs until the office takes the link back', async () => {
    const scene = await halfSigned(system())
    await cancel(system(), scene)
    system().wait(days(29))
    await mustResume(system(), scene.first.token)
    const [signerId] = scene.signerIds
    const revoked = { signingSessionId: scene.sessionId, signerId: signerId as never }
    await revokeSigningLink(system(), scene.person, revoked)
    expect(await resumeGuest(system(), origin, scene.first.token)).toBeUndefined()
  })

  test('is theirs no longer than the link would have lasted', async () => {
    const scene = await halfSigned(system())
    await cancel(system(), scene)
    system().wait(days(31))
    expect(await resumeGuest(system(), origin, scene.first.token)).toBeUndefined()
  })
})
