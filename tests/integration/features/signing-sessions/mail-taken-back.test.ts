import { expect, test } from 'vitest'
import { listMail } from '#server/db/mail/outbox.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, hours } from '#server/domain/time.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { revokeSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import { replaceSessionSigner } from '#server/features/signing-sessions/replace-session-signer.ts'
import {
  aCeremony,
  anOpenSession,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import {
  aGuest,
  aGuestInvitation,
  external,
  type GuestInvitation,
  rejectedWith,
} from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

const reason = Reason.parse('No se hará')
const [BENITO, CLARA] = ['benito@correo.example', 'clara@correo.example']

onEachSigningSystem('pending mail', (system) => {
  /** The states of signing request mails, by address. */
  async function asking({ office }: Pick<GuestInvitation, 'office'>, address: string) {
    const filter = { officeId: office.id, limit: 100 }
    return (await listMail(system().db, filter))
      .filter(({ kind }) => /^signing-(?:invitation|turn|reminder)$/.test(kind))
      .filter(({ to }) => to.address === address)
      .map(({ state, discardedBecause, body }) => [state, discardedBecause, body.kind])
  }

  const asked = (changes = {}) => {
    const clara = { email: CLARA, name: 'Clara Ruiz', rfc: 'RUPC801201QX7' }
    return aGuestInvitation(system(), [external({ email: BENITO }), external(clara)], { changes })
  }
  const first = ({ sessionId, signerIds: [signerId] }: GuestInvitation) => {
    if (!signerId) throw new Error('the session has no signer')
    return { signingSessionId: sessionId, signerId }
  }

  test('reminder: not sent to a replaced signer, but to the others', async () => {
    const scene = await asked()
    const by = external({ email: 'juana@correo.example', rfc: 'PEGJ790214QK3', name: 'Juana' })
    await replaceSessionSigner(system(), scene.person, { ...first(scene), by, reason })
    expect(await asking(scene, BENITO)).toEqual([['discarded', 'signer-replaced', 'forgotten']])
    expect(await asking(scene, CLARA)).toEqual([['waiting', null, 'sealed']])
    expect(await asking(scene, 'juana@correo.example')).toEqual([['waiting', null, 'sealed']])
  })

  test('reminder: not sent in a cancelled session', async () => {
    const scene = await asked()
    const { person, sessionId } = scene
    await cancelSigningSession(system(), person, { signingSessionId: sessionId, reason })
    for (const address of [BENITO, CLARA])
      expect(await asking(scene, address)).toEqual([['discarded', 'session-over', 'forgotten']])
  })

  test('reminder: not sent in a rejected session', async () => {
    const scene = await asked()
    const { guest } = await aGuest(system(), scene)
    await rejectedWith(system(), guest, scene.efirma, reason)
    expect(await asking(scene, CLARA)).toEqual([['discarded', 'session-over', 'forgotten']])
  })

  test('reminder: not sent in an expired session', async () => {
    const scene = await asked({ deadline: after(system().clock.now(), days(2)) })
    system().wait(days(3))
    await expireSigningSessions(system())
    for (const address of [BENITO, CLARA])
      expect(await asking(scene, address)).toEqual([['discarded', 'session-over', 'forgotten']])
  })

  test('reminder: a newer one replaces the pending one', async () => {
    const scene = await asked()
    system().wait(hours(13))
    await remindSigner(system(), scene.person, first(scene))
    expect(await asking(scene, BENITO)).toEqual([
      ['waiting', null, 'sealed'],
      ['discarded', 'newer-mail', 'forgotten'],
    ])
  })

  test('carries no link that the office took back or replaced', async () => {
    const scene = await asked()
    await revokeSigningLink(system(), scene.person, first(scene))
    expect(await asking(scene, BENITO)).toEqual([['discarded', 'link-over', 'forgotten']])
    await aGuest(system(), scene, 1)
    expect(await asking(scene, CLARA)).toEqual([['discarded', 'link-over', 'forgotten']])
  })

  test('reminder: not sent to a signer who has signed', async () => {
    const scene = await aCeremony(system(), [1, 1])
    const { person, document, parties } = scene
    const input = sessionOf(
      [document],
      parties.map((party) => party.asked),
    )
    await anOpenSession(system(), person, input)
    const [signer, other] = parties
    if (!signer || !other) throw new Error('the session has no such signer')
    await signInSession(system(), signer, document, 2)
    const addressOf = async ({ person: { userId } }: typeof signer) =>
      (await system().db.selectFrom('users').select('email').where('id', '=', userId).execute())[0]
        ?.email ?? ''
    const signed = await asking(scene, await addressOf(signer))
    expect(signed).toEqual([['discarded', 'already-signed', 'clear']])
    expect(await asking(scene, await addressOf(other))).toEqual([['waiting', null, 'clear']])
  })
})
