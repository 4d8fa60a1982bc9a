import { expect, test } from 'vitest'
import { findMail, listMail } from '#server/db/mail/outbox.ts'
import { MOST_ATTACHMENTS } from '#server/domain/mail/mail.ts'
import { days, minutes } from '#server/domain/time.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { openBody } from '#server/features/mail/open-body.ts'
import { signManyOnServer } from '#server/features/signatures/sign-many-on-server.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { TEST_PASSWORD } from '#tests/support/authorities/test-authority.ts'
import {
  aGuest,
  aGuestInvitation,
  external,
  type GuestInvitation,
  mailedCodes,
  mustResume,
  opened,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const EMAIL = 'benito@correo.example'

/** An external signer signs this many documents, which completes the session. */
async function completed(system: TestSystem, documents: number) {
  const scene = await aGuestInvitation(system, [external({ email: EMAIL })], { documents })
  const { token, guest } = await aGuest(system, scene)
  // So that the newest mail is known.
  system.wait(minutes(1))
  await signManyOnServer(system, guest, {
    documents: scene.drafts.map(({ id }) => ({ documentId: id, version: 2 })),
    certificate: scene.efirma.cer.slice(),
    privateKey: scene.efirma.key.slice(),
    password: TEST_PASSWORD,
    consent: true,
  })
  return { ...scene, token }
}

onEachSigningSystem('the mail that a session is complete', (system) => {
  async function letters({ office }: GuestInvitation) {
    const filter = { officeId: office.id, state: 'waiting' as const, limit: 100 }
    const mail = await listMail(system().db, filter)
    const all = mail.filter(({ kind }) => kind === 'signing-completed')
    const outside = all.find(({ to }) => to.address === EMAIL)
    const inside = all.find(({ to }) => to.address !== EMAIL)
    if (!outside || !inside || all.length !== 2) throw new Error(`${all.length} letters`)
    return { outside, inside }
  }

  test('brings a signer every document as it was signed, and leads an author who did not sign to Rúbrica', async () => {
    const scene = await completed(system(), 3)
    const { outside, inside } = await letters(scene)
    const copies = scene.drafts.map(({ id }) => ({ documentId: id, version: 3 }))
    expect(outside.attachments).toEqual(copies)
    expect(inside.attachments).toEqual([])
    expect(openBody(system(), inside).text).toContain('Los documentos firmados están en Rúbrica.')
    expect(openBody(system(), outside).text).toContain('Sus copias firmadas van adjuntas.')
  })

  test('links to documents that are too large for a mail, and ends no open session', async () => {
    const scene = await completed(system(), MOST_ATTACHMENTS + 1)
    const { outside, inside } = await letters(scene)
    expect([outside.attachments, inside.attachments]).toEqual([[], []])
    expect(openBody(system(), inside).text).toContain('Los documentos firmados están en Rúbrica.')
    expect(openBody(system(), outside).text).toContain('Puede descargar sus copias firmadas hasta')
    await mustResume(system(), scene.token)
    const [code] = await mailedCodes(system(), scene)
    system().wait(days(20))
    const guest = await mustResume(system(), await opened(system(), code!))
    expect((await readGuestSession(system(), guest)).signer.state).toBe('signed')
  })

  test('is not sent with a link that the office took back', async () => {
    const scene = await completed(system(), MOST_ATTACHMENTS + 1)
    const { outside } = await letters(scene)
    const [signerId] = scene.signerIds
    const revoked = { signingSessionId: scene.sessionId, signerId: signerId as never }
    await revokeSigningLink(system(), scene.person, revoked)
    expect(await findMail(system().db, outside.id)).toMatchObject({
      state: 'discarded',
      discardedBecause: 'link-over',
      body: { kind: 'forgotten' },
    })
  })
})
