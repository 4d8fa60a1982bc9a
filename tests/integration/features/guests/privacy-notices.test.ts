import { expect, test } from 'vitest'
import {
  noticeFromText,
  privacyNoticeOf,
  writableText,
} from '#server/domain/identity/privacy-notice.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { readPrivacyNotice } from '#server/features/guests/read-privacy-notice.ts'
import { changePrivacyNotice } from '#server/features/offices/change-privacy-notice.ts'
import { readPrivacyNotices } from '#server/features/offices/read-privacy-notices.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aGuestInvitation, aLink, mustResume, opened } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const OWN = {
  short: 'La notaría usará sus datos para firmar.',
  full: '# Responsable\n\nLa Notaría 12.',
}

onEachSigningSystem('the aviso de privacidad', (system) => {
  test('is the text that an administrator wrote, and each consent names the one of its day', async () => {
    const scene = await aGuestInvitation(system())
    const { office } = scene
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    const ofSystem = privacyNoticeOf(office)
    const token = await opened(system(), await aLink(system(), scene))
    const guest = await mustResume(system(), token)
    expect((await readPrivacyNotice(system(), guest)).sha256).toBe(ofSystem.sha256)

    await changePrivacyNotice(system(), admin, OWN)
    await changePrivacyNotice(system(), admin, OWN)
    const own = noticeFromText(OWN)
    expect(await readPrivacyNotice(system(), guest)).toEqual(own)
    expect((await readGuestSession(system(), guest)).notice).toEqual(own)
    // Consent to an outdated text is refused.
    const accept = (notice: typeof own.sha256) => acceptPrivacyNotice(system(), guest, { notice })
    expect(await accept(ofSystem.sha256)).toEqual({ kind: 'changed' })
    expect(await accept(own.sha256)).toEqual({ kind: 'accepted' })
    await changePrivacyNotice(system(), admin, writableText(ofSystem))

    const { written } = await readPrivacyNotices(system(), admin)
    expect(written.map(({ version, sha256 }) => [version, sha256])).toEqual([
      [2, ofSystem.sha256],
      [1, own.sha256],
    ])
    const log = await system().log()
    expect(log.filter(({ action }) => action === 'signer.consented')).toMatchObject([
      { details: { sha256: own.sha256, text: expect.stringContaining('La Notaría 12.') } },
    ])
    const changes = log.filter(({ action }) => action === 'office.changed')
    expect(changes.map(({ details }) => details)).toEqual([
      { privacyNotice: own.sha256, version: 1, from: ofSystem.sha256 },
      { privacyNotice: ofSystem.sha256, version: 2, from: own.sha256 },
    ])
  })

  test('a line that becomes a title is a new text, though its words are the same', async () => {
    const { office } = await aGuestInvitation(system())
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    const flat = { ...OWN, full: `${OWN.full}\n\nFinalidad\n\nFirmar.` }
    const titled = { ...flat, full: flat.full.replace('Finalidad', '# Finalidad') }
    await changePrivacyNotice(system(), admin, flat)
    await changePrivacyNotice(system(), admin, titled)
    const { written } = await readPrivacyNotices(system(), admin)
    expect(written.map(({ text }) => text)).toEqual([titled, flat])
  })

  test('privacy notice: two writers make two versions, other roles are refused', async () => {
    const { office, person } = await aGuestInvitation(system())
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    await Promise.all(
      ['Uno', 'Dos'].map((short) => changePrivacyNotice(system(), admin, { ...OWN, short })),
    )
    const { written } = await readPrivacyNotices(system(), admin)
    expect(written.map(({ version }) => version)).toEqual([2, 1])
    const refused = { code: 'forbidden' }
    await expect(changePrivacyNotice(system(), person, OWN)).rejects.toMatchObject(refused)
    await expect(readPrivacyNotices(system(), person)).rejects.toMatchObject(refused)
  })
})
