import { expect, test } from 'vitest'
import { listSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import { hours } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { origin, stranger } from '#tests/support/builders.ts'
import { signInSession } from '#tests/support/office/ceremonies.ts'
import {
  aGuestInvitation,
  aLink,
  external,
  type GuestInvitation,
  mailedCodes,
  mustResume,
  opened,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const SPENT = { code: 'signing-link-spent' }

const linked = ({ sessionId, signerIds: [signerId] }: GuestInvitation) => {
  if (!signerId) throw new Error('the session has no signer')
  return { signingSessionId: sessionId, signerId }
}

/** The code that the reminder carries; of an hour of its own, so that the newest is known. */
async function reminded(system: TestSystem, scene: GuestInvitation) {
  system.wait(hours(13))
  await remindSigner(system, scene.person, linked(scene))
  const [code] = await mailedCodes(system, scene)
  if (!code) throw new Error('no link in the mail')
  return code
}

onEachSigningSystem('reminding an external signer', (system) => {
  const asked = () => aGuestInvitation(system(), [external({ email: 'benito@correo.example' })])

  test('open guest session: continues up to the signature', async () => {
    const scene = await asked()
    const [invitation] = await mailedCodes(system(), scene)
    const token = await opened(system(), invitation!)
    const { sha256: notice } = privacyNoticeOf(scene.office)
    await acceptPrivacyNotice(system(), await mustResume(system(), token), { notice })
    await reminded(system(), scene)
    const guest = await mustResume(system(), token)
    expect(guest.consentedAt).not.toBeNull()
    const { db, clock } = system()
    expect(await listSigningLinks(db, scene.signerIds, clock.now())).toMatchObject([
      { state: 'opened', consentText: notice },
    ])
    await signInSession(system(), { person: guest, efirma: scene.efirma }, scene.document, 2)
  })

  test('once the new link is opened, elsewhere or there, it alone goes on', async () => {
    const scene = await asked()
    const [invitation] = await mailedCodes(system(), scene)
    const first = await opened(system(), invitation!)
    const second = await opened(system(), await reminded(system(), scene))
    expect(await resumeGuest(system(), origin, first)).toBeUndefined()
    expect((await mustResume(system(), second)).consentedAt).toBeNull()
    const third = await reminded(system(), scene)
    const answer = await openSigningLink(system(), stranger(), { code: third, held: second })
    expect(answer.kind).toBe('opened')
    expect(await resumeGuest(system(), origin, second)).toBeUndefined()
  })

  test('unopened links: a reminder leaves them, and the first that is opened ends the others', async () => {
    const scene = await asked()
    const [invitation] = await mailedCodes(system(), scene)
    const earlier = await reminded(system(), scene)
    const newest = await reminded(system(), scene)
    expect(new Set([invitation, earlier, newest]).size).toBe(3)
    await opened(system(), earlier)
    for (const code of [invitation!, earlier, newest])
      await expect(opened(system(), code)).rejects.toMatchObject(SPENT)
  })

  test('signing link: revoking or renewing it ends its guest session at once', async () => {
    const scene = await asked()
    const [invitation] = await mailedCodes(system(), scene)
    const first = await opened(system(), invitation!)
    const reminder = await reminded(system(), scene)
    await revokeSigningLink(system(), scene.person, linked(scene))
    expect(await resumeGuest(system(), origin, first)).toBeUndefined()
    await expect(opened(system(), reminder)).rejects.toMatchObject(SPENT)

    const again = await opened(system(), await reminded(system(), scene))
    const other = await reminded(system(), scene)
    await aLink(system(), scene)
    expect(await resumeGuest(system(), origin, again)).toBeUndefined()
    await expect(opened(system(), other)).rejects.toMatchObject(SPENT)
  })

  test('signing link: only hashes of its codes are stored', async () => {
    const scene = await asked()
    const code = await reminded(system(), scene)
    const token = await opened(system(), code)
    const rows = await system().db.selectFrom('signing_links').selectAll().execute()
    const log = await system().log()
    for (const secret of [code, token]) expect(JSON.stringify({ rows, log })).not.toContain(secret)
  })
})
