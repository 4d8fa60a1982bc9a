import { verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { listMail } from '#server/db/mail/outbox.ts'
import { newKeyPair } from '#server/demo/certification-authority.ts'
import { fromBase64 } from '#server/domain/bytes.ts'
import { rejectionStatement } from '#server/domain/efirma/rejection-statement.ts'
import { RejectionCode } from '#server/domain/signing/session/rejection-code.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, before, minutes, seconds } from '#server/domain/time.ts'
import { resumeGuest } from '#server/features/auth/guests/resume-guest.ts'
import { readRejection } from '#server/features/rejections/read-rejection.ts'
import { rejectOnServer } from '#server/features/rejections/reject-on-server.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { rejectWithCode } from '#server/features/rejections/reject-with-code.ts'
import { rejectWithEfirma } from '#server/features/rejections/reject-with-efirma.ts'
import { sendRejectionCode } from '#server/features/rejections/send-rejection-code.ts'
import { readSigningSession } from '#server/features/signing-sessions/read-signing-session.ts'
import { renewSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { TEST_PASSWORD, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { origin } from '#tests/support/builders.ts'
import { signInSession } from '#tests/support/office/ceremonies.ts'
import {
  aGuest,
  aGuestInvitation,
  external,
  type GuestInvitation,
  mailedRejectionCode,
  mustResume,
  rejectedWith,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem, signBytes } from '#tests/support/office/signing-system.ts'

const reason = Reason.parse('Mi nombre está mal escrito')
const WRONG = RejectionCode.parse('00000-00000')
const WITH_MAIL = external({ email: 'benito@correo.example' })

onEachSigningSystem('rejection by an external signer', (system) => {
  const about = async (action: string) =>
    (await system().log()).filter((event) => event.action === action)

  async function invited(signers = [WITH_MAIL]) {
    const scene = await aGuestInvitation(system(), signers)
    return { ...scene, ...(await aGuest(system(), scene)) }
  }

  const codeMails = async ({ office }: Pick<GuestInvitation, 'office'>) =>
    (await listMail(system().db, { officeId: office.id, limit: 100 })).filter(
      ({ kind }) => kind === 'rejection-code',
    )

  const sessionOf = async ({ person, sessionId: signingSessionId }: GuestInvitation) =>
    (await readSigningSession(system(), person, { signingSessionId })).ceremony

  test('link alone: rejects nothing', async () => {
    const scene = await invited()
    const { guest, sessionId: signingSessionId } = scene
    await expect(
      rejectSigning(system(), guest, { signingSessionId, reason }),
    ).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await rejectWithCode(system(), guest, { reason, code: WRONG })).toEqual({
      kind: 'wrong-code',
    })
    expect((await sessionOf(scene)).session.state).toBe('open')
    expect(await about('signer.rejection-refused')).toMatchObject([
      { actor: { kind: 'guest' }, result: 'refused', details: { proof: 'mail-code' } },
    ])
  })

  test('code of the mail: ends the session and the link, and is recorded', async () => {
    const scene = await invited()
    const { guest, token } = scene
    const { expiresAt } = await sendRejectionCode(system(), guest)
    expect(expiresAt).toBe(after(system().clock.now(), minutes(15)))
    const [mail] = await codeMails(scene)
    expect(mail).toMatchObject({ to: { address: 'benito@correo.example' }, expiresAt })
    const code = await mailedRejectionCode(system(), scene)
    expect(JSON.stringify([await system().log(), mail?.subject])).not.toContain(code.slice(0, 5))

    expect(await rejectWithCode(system(), guest, { reason, code })).toEqual({
      kind: 'rejected',
      hasCopy: false,
    })
    expect(await resumeGuest(system(), origin, token)).toBeUndefined()
    const { session, signers } = await sessionOf(scene)
    expect(session).toMatchObject({ state: 'rejected', stateReason: reason })
    expect(signers).toMatchObject([{ state: 'rejected', stateProof: 'mail-code' }])
    expect(await about('signing-session.rejected')).toMatchObject([
      { actor: { kind: 'guest' }, details: { reason, proof: 'mail-code' } },
    ])
    expect(await about('signer.rejection-code-sent')).toHaveLength(1)
    expect((await codeMails(scene)).map(({ body }) => body.kind)).toEqual(['forgotten'])
  })

  test('code: typed with other letters and without its hyphen is the same', async () => {
    const scene = await invited()
    await sendRejectionCode(system(), scene.guest)
    const code = await mailedRejectionCode(system(), scene)
    const typed = ` ${code.toLowerCase().replaceAll('0', 'o').replaceAll('1', 'l')} `
    expect(RejectionCode.parse(typed)).toBe(code)
  })

  test('code: useless after 15 minutes, in another browser, and after a newer one', async () => {
    const scene = await invited()
    await sendRejectionCode(system(), scene.guest)
    const first = await mailedRejectionCode(system(), scene)
    system().wait(minutes(2))
    await sendRejectionCode(system(), scene.guest)
    const wrong = { kind: 'wrong-code' }
    expect(await rejectWithCode(system(), scene.guest, { reason, code: first })).toEqual(wrong)
    expect((await codeMails(scene)).map(({ state }) => state)).toEqual(['waiting', 'discarded'])
    const second = await mailedRejectionCode(system(), scene)
    system().wait(minutes(15))
    expect(await rejectWithCode(system(), scene.guest, { reason, code: second })).toEqual(wrong)

    await sendRejectionCode(system(), scene.guest)
    const third = await mailedRejectionCode(system(), scene)
    const other = await aGuest(system(), scene)
    expect(await rejectWithCode(system(), other.guest, { reason, code: third })).toEqual(wrong)
    expect((await sessionOf(scene)).session.state).toBe('open')
  })

  test('code: a double click sends one mail, and five in an hour are the most', async () => {
    const scene = await invited()
    await Promise.all([1, 2].map(() => sendRejectionCode(system(), scene.guest)))
    expect(await codeMails(scene)).toHaveLength(1)
    for (let mail = 2; mail <= 5; mail++) {
      system().wait(minutes(2))
      await sendRejectionCode(system(), scene.guest)
    }
    system().wait(minutes(2))
    await expect(sendRejectionCode(system(), scene.guest)).rejects.toMatchObject({
      code: 'too-many-attempts',
    })
    expect(await codeMails(scene)).toHaveLength(5)
  })

  test('code: five attempts, and the right one is refused after them', async () => {
    const scene = await invited()
    await sendRejectionCode(system(), scene.guest)
    const code = await mailedRejectionCode(system(), scene)
    for (let attempt = 1; attempt <= 5; attempt++)
      await rejectWithCode(system(), scene.guest, { reason, code: WRONG })
    await expect(rejectWithCode(system(), scene.guest, { reason, code })).rejects.toMatchObject({
      code: 'too-many-attempts',
    })
    expect(await about('signer.rejection-refused')).toHaveLength(5)
  })

  test('code: two at once reject once', async () => {
    const scene = await invited()
    await sendRejectionCode(system(), scene.guest)
    const code = await mailedRejectionCode(system(), scene)
    const answers = await Promise.allSettled(
      [1, 2].map(() => rejectWithCode(system(), scene.guest, { reason, code })),
    )
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    expect(answers).toContainEqual({
      status: 'rejected',
      reason: expect.objectContaining({ code: 'session-state' }),
    })
    expect(await about('signing-session.rejected')).toHaveLength(1)
  })

  test('code: not sent without an address, nor in a session that is over', async () => {
    const without = await invited([external()])
    await expect(sendRejectionCode(system(), without.guest)).rejects.toMatchObject({
      code: 'no-address',
    })
    await rejectedWith(system(), without.guest, without.efirma, reason)
    await expect(sendRejectionCode(system(), without.guest)).rejects.toMatchObject({
      code: 'session-state',
    })
    expect(await codeMails(without)).toEqual([])
  })

  test('e.firma: the log has a statement that anyone can check', async () => {
    const scene = await invited([external()])
    const { guest, efirma, document, token } = scene
    expect(await rejectedWith(system(), guest, efirma, reason)).toEqual({
      kind: 'rejected',
      hasCopy: false,
    })
    expect(await resumeGuest(system(), origin, token)).toBeUndefined()
    const [event] = await about('signing-session.rejected')
    const { statement, signature, certificate, proof } = { ...event?.details } as Record<
      string,
      string
    >
    expect(proof).toBe('efirma')
    expect(JSON.parse(statement ?? '')).toMatchObject({
      declaracion: 'Rechazo firmar los documentos de esta sesión de firma.',
      sesion: { id: scene.sessionId },
      firmante: { nombre: 'Benito Núñez Peña', rfc: 'NUPB801201QX7' },
      documentos: [{ id: document.id, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) }],
      motivo: reason,
      fecha: new Date(system().clock.now()).toISOString(),
    })
    expect(certificate).toBe(Buffer.from(efirma.cer).toString('base64'))
    const [bytes, signed] = [Buffer.from(statement ?? ''), fromBase64(signature ?? '')]
    expect(verify('sha256', bytes, efirma.keyPair.publicKey, signed)).toBe(true)
    expect((await sessionOf(scene)).signers).toMatchObject([{ stateProof: 'efirma' }])
  })

  test('e.firma: of another person, over another reason or date, or stale, rejects nothing', async () => {
    const scene = await invited([external()])
    const { guest, efirma } = scene
    const keyPair = await newKeyPair()
    const other = await testEfirma({ rfc: 'PEGJ790214QK3', name: 'JUANA PÉREZ', keyPair })
    const now = system().clock.now()
    expect(await rejectedWith(system(), guest, other, reason)).toMatchObject({
      kind: 'refused',
      code: 'other-person',
      sentence: expect.stringContaining('pertenece a otra persona'),
    })
    const attempt = (changes: Parameters<typeof rejectedWith>[4], signer = efirma) =>
      rejectedWith(system(), guest, signer, reason, changes)
    const unsigned = { code: 'signature-refused' }
    await expect(attempt({ certificate: efirma.cer }, other)).rejects.toMatchObject(unsigned)
    await expect(attempt({ reason: Reason.parse('Otro') })).rejects.toMatchObject(unsigned)
    await expect(attempt({ at: after(now, seconds(1)) })).rejects.toMatchObject(unsigned)
    await expect(attempt({ signature: new Uint8Array(3) })).rejects.toMatchObject(unsigned)
    const stale = { code: 'preparation-expired' }
    await expect(attempt({ at: before(now, minutes(16)) })).rejects.toMatchObject(stale)
    await expect(attempt({ at: after(now, minutes(16)) })).rejects.toMatchObject(stale)
    expect((await sessionOf(scene)).session.state).toBe('open')
    const refused = await about('signer.rejection-refused')
    expect(refused.map(({ details }) => details.code)).toEqual([
      'other-person',
      ...Array(4).fill('signature-refused'),
    ])
  })

  test('e.firma: its statement rejects no other session', async () => {
    const scene = await invited([external()])
    const beside = await aGuestInvitation(system(), [external()], { beside: scene })
    const { guest: other } = await aGuest(system(), beside)
    const at = system().clock.now()
    const { facts } = await readRejection(system(), scene.guest)
    const signature = await signBytes(scene.efirma, rejectionStatement(facts, { reason, at }))
    const replayed = { reason, at, certificate: scene.efirma.cer, signature }
    await expect(rejectWithEfirma(system(), other, replayed)).rejects.toMatchObject({
      code: 'signature-refused',
    })
  })

  test('e.firma on the server: rejects with consent, and wipes the key', async () => {
    const scene = await invited([external()])
    const { guest, efirma } = scene
    const input = (changes = {}) => ({
      ...{ reason, certificate: efirma.cer.slice(), privateKey: efirma.key.slice() },
      ...{ password: TEST_PASSWORD, consent: true, ...changes },
    })
    const refused = await rejectOnServer(system(), guest, input({ consent: false, password: 'x' }))
    expect(refused).toMatchObject({ kind: 'refused', sentences: { consent: expect.any(String) } })
    const wrong = await rejectOnServer(system(), guest, input({ password: 'x' }))
    expect(wrong).toMatchObject({ sentences: { password: expect.any(String) } })
    const right = input()
    expect(await rejectOnServer(system(), guest, right)).toMatchObject({ kind: 'rejected' })
    expect(right.privateKey.every((byte) => byte === 0)).toBe(true)
    expect((await sessionOf(scene)).signers).toMatchObject([{ stateProof: 'efirma' }])
  })

  test('e.firma: ten attempts in the page and on the server together, and the right one is refused after them', async () => {
    const scene = await invited([external()])
    const { guest, efirma } = scene
    const wrongSignature = { signature: new Uint8Array(3) }
    const inPage = (changes = {}) => rejectedWith(system(), guest, efirma, reason, changes)
    const onServer = (password: string) =>
      rejectOnServer(system(), guest, {
        ...{ reason, certificate: efirma.cer.slice(), privateKey: efirma.key.slice() },
        ...{ password, consent: true },
      })
    for (let count = 0; count < 5; count += 1) {
      await expect(inPage(wrongSignature)).rejects.toMatchObject({ code: 'signature-refused' })
      expect(await onServer('otra')).toMatchObject({ kind: 'refused' })
    }
    const tooMany = { code: 'too-many-attempts' }
    await expect(inPage(wrongSignature)).rejects.toMatchObject(tooMany)
    await expect(inPage()).rejects.toMatchObject(tooMany)
    await expect(onServer(TEST_PASSWORD)).rejects.toMatchObject(tooMany)
    expect(await about('signer.rejection-refused')).toHaveLength(10)
    expect((await sessionOf(scene)).session.state).toBe('open')
    system().wait(minutes(15))
    expect(await inPage()).toMatchObject({ kind: 'rejected' })
  })

  test('e.firma on the server: a right one is one attempt', async () => {
    const scene = await invited([external()])
    const { guest, efirma } = scene
    for (let count = 0; count < 9; count += 1)
      await rejectedWith(system(), guest, efirma, reason, { signature: new Uint8Array(3) }).catch(
        () => undefined,
      )
    const rejecting = rejectOnServer(system(), guest, {
      ...{ reason, certificate: efirma.cer.slice(), privateKey: efirma.key.slice() },
      ...{ password: TEST_PASSWORD, consent: true },
    })
    expect(await rejecting).toMatchObject({ kind: 'rejected' })
  })

  test('page: shows no address, and no code that is over', async () => {
    const scene = await invited()
    expect(await readRejection(system(), scene.guest)).toMatchObject({ codeExpiresAt: null })
    const { expiresAt } = await sendRejectionCode(system(), scene.guest)
    expect(await readRejection(system(), scene.guest)).toMatchObject({ codeExpiresAt: expiresAt })
    system().wait(minutes(15))
    expect(await readRejection(system(), scene.guest)).toMatchObject({ codeExpiresAt: null })
  })

  test('rejection: refused for a signer who signed everything, and by a link that was taken back', async () => {
    const scene = await invited([WITH_MAIL, external({ rfc: 'PEGJ790214QK3' })])
    const { guest, efirma, document, token } = scene
    await signInSession(system(), { person: guest, efirma }, document, 2)
    await expect(readRejection(system(), guest)).rejects.toMatchObject({ code: 'session-state' })
    await expect(sendRejectionCode(system(), guest)).rejects.toMatchObject({
      code: 'session-state',
    })
    const { guest: second } = await aGuest(system(), scene, 1)
    const asked = { signingSessionId: scene.sessionId, signerId: second.signerId }
    await renewSigningLink(system(), scene.person, { ...asked, replaces: second.linkId })
    await mustResume(system(), token)
    const juana = await testEfirma({ rfc: 'PEGJ790214QK3', name: 'JUANA PÉREZ' })
    // A request that was under way when the office took the link back.
    await expect(rejectedWith(system(), second, juana, reason)).rejects.toMatchObject({
      code: 'signing-link-over',
    })
  })
})
