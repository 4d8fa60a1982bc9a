import { expect, test } from 'vitest'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertConsentRecord } from '#server/db/care/consents.ts'
import type { ConsentKind } from '#server/domain/care/consent.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { noticeFromText, privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import { ConsentId } from '#server/domain/ids.ts'
import { exportConsents, listConsents } from '#server/features/care/list-consents.ts'
import { readPublishedNotice } from '#server/features/care/read-published-notice.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { changePrivacyNotice } from '#server/features/offices/change-privacy-notice.ts'
import { readPrivacyNotices } from '#server/features/offices/read-privacy-notices.ts'
import { decidePictureConsent } from '#server/features/verification/decide-picture-consent.ts'
import { asPerson, storedUser } from '#tests/support/builders.ts'
import { aGuestInvitation, aLink, mustResume, opened } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const OWN = {
  short: 'La notaría usará sus datos para firmar.',
  full: '# Responsable\n\nLa Notaría 12.',
}

onEachSigningSystem('consents', (system) => {
  async function aScene() {
    const scene = await aGuestInvitation(system())
    const admin = asPerson(await storedUser(system().db, scene.office, ['ADMIN']))
    const token = await opened(system(), await aLink(system(), scene))
    return { ...scene, admin, guest: await mustResume(system(), token) }
  }

  test('accepted aviso: is listed once with its person and text, and counted', async () => {
    const { office, admin, guest } = await aScene()
    const notice = privacyNoticeOf(office).sha256
    await acceptPrivacyNotice(system(), guest, { notice })
    await acceptPrivacyNotice(system(), guest, { notice })

    const { consents } = await listConsents(system(), admin, {})
    expect(consents).toMatchObject([
      {
        ...{ kind: 'privacy-notice', name: guest.name, rfc: guest.rfc, notice },
        ...{ signerId: guest.signerId, version: null, folio: null },
      },
    ])
    const { ofSystemAccepted } = await readPrivacyNotices(system(), admin)
    expect(ofSystemAccepted).toEqual([{ sha256: notice, accepted: 1 }])
  })

  test('accepted aviso: its text stays readable for everyone after the office writes another', async () => {
    const { office, admin, guest } = await aScene()
    const accepted = privacyNoticeOf(office)
    await acceptPrivacyNotice(system(), guest, { notice: accepted.sha256 })
    await changePrivacyNotice(system(), admin, OWN)

    const asked = { officeId: office.id, text: accepted.sha256 }
    const found = await readPublishedNotice(system(), asked)
    expect(found).toMatchObject({ isCurrent: false, version: null, notice: accepted })
    const current = await readPublishedNotice(system(), { officeId: office.id })
    expect(current).toMatchObject({ isCurrent: true, version: { number: 1 } })
    expect(current.notice).toEqual(noticeFromText(OWN))
  })

  test('accepted aviso: a text of an earlier release is read from the log; an unknown one is not found', async () => {
    const { office, guest } = await aScene()
    const [kept, unknown] = [sha256('Uno\nDos'), sha256('Tres')]
    const { name, rfc, signerId, signingSessionId } = guest
    const at = system().clock.now()
    await system().db.transaction(async (trx) => {
      await insertConsentRecord(trx, {
        ...{ id: ConsentId.parse(guest.linkId), officeId: office.id, kind: 'privacy-notice', at },
        ...{ name, rfc, userId: null, signerId, signingSessionId, documentId: null, notice: kept },
      })
      await appendEvent(trx, {
        ...{ actor: guest, at, action: 'signer.consented' },
        subject: { kind: 'signing-session', id: signingSessionId },
        details: { link: guest.linkId, sha256: kept, text: 'Uno\nDos' },
      })
    })

    const found = await readPublishedNotice(system(), { officeId: office.id, text: kept })
    expect(found.notice.full).toEqual([{ title: 'Texto aceptado', paragraphs: ['Uno', 'Dos'] }])
    const other = { officeId: office.id, text: unknown }
    await expect(readPublishedNotice(system(), other)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('pictures: a consent and its withdrawal are two records with the folio', async () => {
    const { office, document, admin, guest } = await aScene()
    const { sha256: notice } = privacyNoticeOf(office)
    await acceptPrivacyNotice(system(), guest, { notice })
    const again = { ...guest, consentedAt: system().clock.now() }
    for (const state of ['given', 'given', 'withdrawn'] as const)
      await decidePictureConsent(system(), again, { documentId: document.id, state })

    const ofKind = async (kind: ConsentKind) =>
      (await listConsents(system(), admin, { kind })).consents
    for (const kind of ['pictures-given', 'pictures-withdrawn'] as const)
      expect(await ofKind(kind)).toMatchObject([{ name: guest.name, folio: document.folio }])
  })

  test('list: pages and file have the same records, filtered by RFC; other roles are refused', async () => {
    const { office, document, admin, guest, person } = await aScene()
    const { sha256: notice } = privacyNoticeOf(office)
    await acceptPrivacyNotice(system(), guest, { notice })
    const again = { ...guest, consentedAt: system().clock.now() }
    await decidePictureConsent(system(), again, { documentId: document.id, state: 'given' })

    const first = await listConsents(system(), admin, { rfc: guest.rfc, size: 1 })
    expect(first.consents).toHaveLength(1)
    const [at, id] = String(first.next).split('.')
    expect(id).toBe(first.consents[0]?.id)
    const behind = { at: Number(at), id } as never
    const second = await listConsents(system(), admin, { rfc: guest.rfc, behind, size: 1 })
    const { lines } = await exportConsents(system(), admin, { rfc: guest.rfc })
    const exported = await Array.fromAsync(lines)
    expect(exported).toEqual([...first.consents, ...second.consents])
    expect(exported).toHaveLength(2)

    const clerk = asPerson(await storedUser(system().db, office, ['CLERK']))
    for (const other of [clerk, guest])
      await expect(listConsents(system(), other, {})).rejects.toMatchObject({
        code: other === guest ? 'not-signed-in' : 'forbidden',
      })
    expect(person.officeId).toBe(office.id)
  })
})
