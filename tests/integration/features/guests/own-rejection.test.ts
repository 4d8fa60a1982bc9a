import { expect, test } from 'vitest'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { days } from '#server/domain/time.ts'
import { readOwnRejection } from '#server/features/auth/guests/read-own-rejection.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { stranger } from '#tests/support/builders.ts'
import {
  aGuest,
  aGuestInvitation,
  aLink,
  mustResume,
  opened,
  rejectedWith,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const reason = Reason.parse('Mi nombre está mal escrito')

onEachSigningSystem('a guest’s own rejection', (system) => {
  test('shown in the browser that opened the link, until the link would have expired', async () => {
    const scene = await aGuestInvitation(system())
    const { token, guest } = await aGuest(system(), scene)
    expect(await readOwnRejection(system(), token)).toBeUndefined()
    await rejectedWith(system(), guest, scene.efirma, reason)
    const at = system().clock.now()
    expect(await readOwnRejection(system(), token)).toMatchObject({
      signer: { state: 'rejected', stateSince: at, stateReason: reason, stateProof: 'efirma' },
      session: { id: scene.sessionId, state: 'rejected' },
      office: { id: scene.office.id },
    })
    for (const other of [undefined, '', 'x', `${token}x`])
      expect(await readOwnRejection(system(), other)).toBeUndefined()
    system().wait(days(31))
    expect(await readOwnRejection(system(), token)).toBeUndefined()
  })

  test('hidden from the browser of an earlier link', async () => {
    const scene = await aGuestInvitation(system())
    const earlier = await opened(system(), await aLink(system(), scene))
    system().wait(days(1))
    const { token, guest } = await aGuest(system(), scene)
    system().wait(days(1))
    await rejectedWith(system(), guest, scene.efirma, reason)
    expect(await readOwnRejection(system(), earlier)).toBeUndefined()
    expect(await readOwnRejection(system(), token)).toBeDefined()
  })

  test('is none when the office cancelled', async () => {
    const scene = await aGuestInvitation(system())
    const { token } = await aGuest(system(), scene)
    await cancelSigningSession(system(), scene.person, {
      signingSessionId: scene.sessionId,
      reason,
    })
    expect(await readOwnRejection(system(), token)).toBeUndefined()
  })

  test('the link leads to it in that browser only', async () => {
    const scene = await aGuestInvitation(system())
    const code = await aLink(system(), scene)
    const token = await opened(system(), code)
    const spent = { code: 'signing-link-spent' }
    const open = (held: string | undefined) => openSigningLink(system(), stranger(), { code, held })
    expect(await open(token)).toEqual({ kind: 'held' })
    const notice = privacyNoticeOf(scene.office).sha256
    await acceptPrivacyNotice(system(), await mustResume(system(), token), { notice })
    await rejectedWith(system(), await mustResume(system(), token), scene.efirma, reason)
    expect(await open(token)).toEqual({ kind: 'rejected' })
    await expect(open(undefined)).rejects.toMatchObject(spent)
  })
})
