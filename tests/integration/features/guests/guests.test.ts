import { expect, test } from 'vitest'
import { listSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import { privacyNoticeOf } from '#server/domain/identity/privacy-notice.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { RejectionCode } from '#server/domain/signing/session/rejection-code.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, hours, minutes } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { drawPage } from '#server/features/documents/draw-page.ts'
import { openSignedRevision } from '#server/features/documents/open-signed-revision.ts'
import { openVersion } from '#server/features/documents/open-version.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { readPages } from '#server/features/documents/read-pages.ts'
import { acceptPrivacyNotice } from '#server/features/guests/accept-privacy-notice.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { readGuestDocument } from '#server/features/guests/read-guest-document.ts'
import { readGuestSession } from '#server/features/guests/read-guest-session.ts'
import { rejectWithCode } from '#server/features/rejections/reject-with-code.ts'
import { sendRejectionCode } from '#server/features/rejections/send-rejection-code.ts'
import { acknowledgeJudgement } from '#server/features/signatures/acknowledge-judgement.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import { signOnServer } from '#server/features/signatures/sign-on-server.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { replaceSessionSigner } from '#server/features/signing-sessions/replace-session-signer.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { origin, stranger } from '#tests/support/builders.ts'
import { signInSession } from '#tests/support/office/ceremonies.ts'
import {
  aGuest,
  aGuestInvitation,
  aLink,
  external,
  mustResume,
  opened,
  rejectedWith,
} from '#tests/support/office/guests.ts'
import { aDraft, onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const reason = (text: string) => text as ReturnType<typeof Reason.parse>
const UNKNOWN = ActivationCode.parse('0123456789ABCDEFGHJKMNPQRS')
const texts = (documentId: DocumentId, version: number) => ({
  ...{ documentId, version, first: 1, count: 3 },
  purpose: 'pictures' as const,
})

const SPENT = { code: 'signing-link-spent' }

onEachSigningSystem('external signers', (system) => {
  const about = async (action: string) =>
    (await system().log()).filter((event) => event.action === action)

  test('extended session: its opened link works until the new deadline, not after a shorter one', async () => {
    const now = system().clock.now()
    const changes = { deadline: after(now, days(2)) }
    const scene = await aGuestInvitation(system(), [external()], { changes })
    const token = await opened(system(), await aLink(system(), scene))
    const extend = (deadline: ReturnType<typeof after>) =>
      extendSigningSession(system(), scene.person, { signingSessionId: scene.sessionId, deadline })
    await extend(after(now, days(10)))
    system().wait(days(3))
    await mustResume(system(), token)
    await extend(after(now, days(4)))
    system().wait(days(2))
    expect(await resumeGuest(system(), origin, token)).toBeUndefined()
  })

  test('external signer: opens the link, consents, signs and gets a copy', async () => {
    const scene = await aGuestInvitation(system())
    const token = await opened(system(), await aLink(system(), scene))
    const before = await mustResume(system(), token)
    expect(before).toMatchObject({ name: 'Benito Núñez Peña', consentedAt: null })
    const { sha256 } = privacyNoticeOf(scene.office)
    await acceptPrivacyNotice(system(), before, { notice: sha256 })
    const guest = await mustResume(system(), token)
    const { documents } = await readGuestSession(system(), guest)
    expect(documents).toMatchObject([{ document: { id: scene.document.id }, held: 'now' }])

    await signInSession(system(), { person: guest, efirma: scene.efirma }, scene.document, 2)
    const copy = await readGuestDocument(system(), guest, { documentId: scene.document.id })
    expect(copy).toMatchObject({ held: 'signed', version: { version: 3, cause: 'signed' } })
    const wanted = { documentId: scene.document.id, version: 3, purpose: 'download' } as const
    expect((await openVersion(system(), guest, wanted)).version.version).toBe(3)

    const [link] = await listSigningLinks(system().db, scene.signerIds, guest.consentedAt!)
    expect(link).toMatchObject({
      state: 'opened',
      consentText: sha256,
      consentedAt: guest.consentedAt,
    })
    const [consent] = await about('signer.consented')
    expect(consent).toMatchObject({
      actor: { kind: 'guest', name: 'Benito Núñez Peña' },
      officeId: scene.office.id,
      details: { sha256, text: expect.stringContaining(scene.office.name) },
    })
    expect(await about('signer.link-opened')).toMatchObject([{ actor: { kind: 'guest' } }])
    expect(await about('document.signed')).toMatchObject([{ actor: { kind: 'guest' } }])
    expect(await about('document.downloaded')).toMatchObject([{ actor: { kind: 'guest' } }])
    expect(JSON.stringify(await system().log())).not.toContain(token)
  })

  test('a link opens once: the same browser goes on, another one does not', async () => {
    const scene = await aGuestInvitation(system())
    const code = await aLink(system(), scene)
    const token = await opened(system(), code)
    await expect(openSigningLink(system(), stranger(), { code, held: token })).resolves.toEqual({
      kind: 'held',
    })
    for (const held of [undefined, 'x', 'A'.repeat(43)])
      await expect(openSigningLink(system(), stranger(), { code, held })).rejects.toMatchObject(
        SPENT,
      )
    expect(await resumeGuest(system(), origin, token)).toBeDefined()
    const refused = await about('signer.link-refused')
    expect(refused).toHaveLength(3)
    expect(refused[0]).toMatchObject({ officeId: scene.office.id, details: { state: 'opened' } })
    expect(JSON.stringify(await system().log())).not.toContain(code)
  })

  test('signing link: one of three simultaneous browsers gets in', async () => {
    const code = await aLink(system(), await aGuestInvitation(system()))
    const answers = await Promise.allSettled(
      [1, 2, 3].map(() => openSigningLink(system(), stranger(), { code, held: undefined })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject(SPENT)
    expect(await about('signer.link-opened')).toHaveLength(1)
  })

  test('an unknown, an expired, a revoked and an opened link are refused alike', async () => {
    const deadline = after(system().clock.now(), hours(1))
    const scene = await aGuestInvitation(
      system(),
      [external(), external({ rfc: 'PEGJ790214QK3' })],
      {
        changes: { deadline },
      },
    )
    const used = await aLink(system(), scene)
    await opened(system(), used)
    const revoked = await aLink(system(), scene, 1)
    await aLink(system(), scene, 1)
    const refusals: unknown[] = []
    const tell = async (code: ActivationCode) => {
      const refusal = await openSigningLink(system(), stranger(), { code, held: undefined }).catch(
        ({ code, message, retryAfter }) => ({ code, message, retryAfter }),
      )
      refusals.push(refusal)
    }
    for (const code of [UNKNOWN, used, revoked]) await tell(code)
    const last = await aLink(system(), scene, 1)
    system().wait(hours(2))
    await tell(last)
    expect(new Set(refusals.map((refusal) => JSON.stringify(refusal))).size).toBe(1)
    expect(refusals[0]).toMatchObject(SPENT)
    expect(await about('signer.link-refused')).toHaveLength(4)
  })

  test('signing link: every attempted code is counted', async () => {
    const code = await aLink(system(), await aGuestInvitation(system()))
    for (let attempt = 0; attempt < 60; attempt++)
      await expect(
        openSigningLink(system(), stranger(), { code: UNKNOWN, held: undefined }),
      ).rejects.toMatchObject(SPENT)
    await expect(
      openSigningLink(system(), stranger(), { code, held: undefined }),
    ).rejects.toMatchObject({ code: 'too-many-attempts' })
    const elsewhere = stranger({ ip: '198.51.100.9' })
    expect(await openSigningLink(system(), elsewhere, { code, held: undefined })).toMatchObject({
      kind: 'opened',
    })
  })

  test('guest: reads before accepting the aviso de privacidad, and neither signs nor rejects', async () => {
    const scene = await aGuestInvitation(system())
    const { document, efirma } = scene
    const guest = await mustResume(system(), await opened(system(), await aLink(system(), scene)))
    expect(await readGuestSession(system(), guest)).toMatchObject({
      hasConsented: false,
      session: { id: scene.sessionId },
      documents: [{ document: { id: document.id }, held: 'now' }],
    })
    const documentId = document.id
    const page = { documentId, version: 2, page: 1 }
    expect(await readGuestDocument(system(), guest, { documentId })).toEqual({ held: 'now' })
    expect(await readSigning(system(), guest, { documentId })).toMatchObject({ needsConsent: true })
    await drawPage(system(), guest, page)
    await readPages(system(), guest, texts(documentId, 2))
    const download = { ...page, purpose: 'download' } as const
    expect((await openVersion(system(), guest, download)).version.version).toBe(2)
    expect(await about('document.viewed')).toMatchObject([{ actor: { kind: 'guest' } }])

    const asked = { documentId, version: 2, certificate: efirma.cer }
    const seen = { judgement: document.id as never, statements: [] }
    const key = { privateKey: efirma.key.slice(), password: TEST_PASSWORD, consent: true }
    for (const attempt of [
      () => prepareSignature(system(), guest, asked),
      () => signOnServer(system(), guest, { ...asked, certificate: efirma.cer.slice(), ...key }),
      () => acknowledgeJudgement(system(), guest, { ...seen, documentId }),
      () => sendRejectionCode(system(), guest),
      () => rejectWithCode(system(), guest, { reason: reason('No'), code: 'X' as RejectionCode }),
      () => rejectedWith(system(), guest, efirma, reason('No')),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'consent-needed' })
    expect(await acceptPrivacyNotice(system(), guest, { notice: document.id as never })).toEqual({
      kind: 'changed',
    })
    expect(await about('signer.consented')).toEqual([])
  })

  test('guest who did not accept the aviso de privacidad: reads nothing of another session', async () => {
    const scene = await aGuestInvitation(system())
    const guest = await mustResume(system(), await opened(system(), await aLink(system(), scene)))
    const other = await aGuestInvitation(system(), [external()], { beside: scene })
    const page = { documentId: other.document.id, version: 2, page: 1 }
    for (const attempt of [
      () => readGuestDocument(system(), guest, page),
      () => readSigning(system(), guest, page),
      () => drawPage(system(), guest, page),
      () => openVersion(system(), guest, { ...page, purpose: 'download' }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not-found' })
  })

  test('signing link: shows only the documents of its session', async () => {
    const scene = await aGuestInvitation(system())
    const { guest } = await aGuest(system(), scene)
    const { person, document } = scene
    const other = await aDraft(system(), person, undefined, 'De otra persona')
    for (const documentId of [other.id, guest.linkId as never]) {
      for (const attempt of [
        () => readGuestDocument(system(), guest, { documentId }),
        () => readSigning(system(), guest, { documentId }),
        () => drawPage(system(), guest, { documentId, version: 1, page: 1 }),
        () => readPages(system(), guest, texts(documentId, 1)),
        () => openVersion(system(), guest, { documentId, version: 1, purpose: 'download' }),
        () =>
          prepareSignature(system(), guest, {
            documentId,
            version: 1,
            certificate: scene.efirma.cer,
          }),
      ])
        await expect(attempt()).rejects.toMatchObject({ code: 'not-found' })
    }
    // Guests cannot use routes of the office, not even for their own document.
    const documentId = document.id
    for (const attempt of [
      () => readDocument(system(), guest, { documentId }),
      () => openSignedRevision(system(), guest, { documentId, signature: 1 }),
    ])
      await expect(attempt()).rejects.toMatchObject({ code: 'not-signed-in' })
    const missing = { documentId, version: 9, page: 1 }
    await expect(drawPage(system(), guest, missing)).rejects.toMatchObject({ code: 'not-found' })
  })

  test('completion: refused for another signer of the same session', async () => {
    const scene = await aGuestInvitation(system(), [external(), external({ rfc: 'PEGJ790214QK3' })])
    const { guest: first } = await aGuest(system(), scene)
    const { guest: second } = await aGuest(system(), scene, 1)
    const { document, efirma } = scene
    const asked = { documentId: document.id, version: 2, certificate: efirma.cer }
    await expect(prepareSignature(system(), first, asked)).resolves.toMatchObject({
      kind: 'prepared',
    })
    await expect(prepareSignature(system(), second, asked)).rejects.toMatchObject({
      code: 'someone-signing',
    })
    system().wait(minutes(3))
    expect(await prepareSignature(system(), second, asked)).toMatchObject({
      kind: 'refused',
      code: 'other-person',
    })
  })

  test('only the e.firma with the RFC that is asked for signs', async () => {
    const scene = await aGuestInvitation(system())
    const { guest } = await aGuest(system(), scene)
    const { cer: certificate } = await testEfirma()
    const asked = { documentId: scene.document.id, version: 2, certificate }
    expect(await prepareSignature(system(), guest, asked)).toMatchObject({
      kind: 'refused',
      code: 'other-person',
      sentence: expect.stringContaining('pertenece a otra persona'),
    })
    expect(await about('signature.refused')).toMatchObject([
      { actor: { kind: 'guest' }, details: { code: 'other-person' } },
    ])
  })

  test('signing link: after it is revoked, replaced or cancelled, its cookie opens nothing', async () => {
    const revoked = await aGuestInvitation(system())
    const { token: first } = await aGuest(system(), revoked)
    const link = { signingSessionId: revoked.sessionId, signerId: revoked.signerIds[0] as never }
    await revokeSigningLink(system(), revoked.person, link)
    expect(await resumeGuest(system(), origin, first)).toBeUndefined()

    const { token: second } = await aGuest(system(), revoked)
    await aLink(system(), revoked)
    expect(await resumeGuest(system(), origin, second)).toBeUndefined()

    const { token: third } = await aGuest(system(), revoked)
    const by = external({ rfc: 'PEGJ790214QK3', name: 'Juana Pérez' })
    await replaceSessionSigner(system(), revoked.person, { ...link, by, reason: reason('Otra') })
    expect(await resumeGuest(system(), origin, third)).toBeUndefined()

    const cancelled = await aGuestInvitation(system(), [external()], { beside: revoked })
    const { token: fourth } = await aGuest(system(), cancelled)
    const cancelling = { signingSessionId: cancelled.sessionId, reason: reason('No se hará') }
    await cancelSigningSession(system(), cancelled.person, cancelling)
    expect(await resumeGuest(system(), origin, fourth)).toBeUndefined()
  })

  test('signing link: ends with its deadline, and signed copies can be downloaded until then', async () => {
    const scene = await aGuestInvitation(system())
    const { token, guest } = await aGuest(system(), scene)
    await signInSession(system(), { person: guest, efirma: scene.efirma }, scene.document, 2)
    system().wait(days(29))
    const later = await mustResume(system(), token)
    expect(
      await readGuestDocument(system(), later, { documentId: scene.document.id }),
    ).toMatchObject({ held: 'signed' })
    system().wait(days(2))
    expect(await resumeGuest(system(), origin, token)).toBeUndefined()
  })

  test('guest: reads before their turn, but cannot sign', async () => {
    const scene = await aGuestInvitation(system(), [
      external(),
      external({ rfc: 'PEGJ790214QK3', step: 2 }),
    ])
    const { guest } = await aGuest(system(), scene, 1)
    const documentId = scene.document.id
    expect(await readGuestDocument(system(), guest, { documentId })).toEqual({ held: 'waiting' })
    const { cer: certificate } = await testEfirma({ rfc: 'PEGJ790214QK3' })
    await expect(
      prepareSignature(system(), guest, { documentId, version: 2, certificate }),
    ).rejects.toMatchObject({ code: 'not-your-turn' })
  })
})
