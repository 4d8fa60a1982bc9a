import { expect, test } from 'vitest'
import { findUser } from '#server/db/people/users.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { after, days, formatDay } from '#server/domain/time.ts'
import type { CreateSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import {
  aCeremony,
  anOpenSession,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { aGuestInvitation, external, mailedCodes, opened } from '#tests/support/office/guests.ts'
import { mailsOf } from '#tests/support/office/mails.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('mails to signers', (system) => {
  const emailOf = async ({ userId }: Person) => (await findUser(system().db, userId))?.email
  const turnsOf = async (signingSessionId: string) =>
    await system()
      .db.selectFrom('signers')
      .select(['name', 'turn_since'])
      .where('signing_session_id', '=', signingSessionId)
      .orderBy('step')
      .execute()

  test('turn of a user: the mail names who asks, the documents, message and deadline, and leads to the session', async () => {
    const scene = await aCeremony(system(), [1, 2], 2)
    const [first, second] = scene.parties
    if (!first || !second) throw new Error('a session of two')
    const deadline = after(system().clock.now(), days(5))
    const message = 'Antes del viernes, por favor.' as CreateSigningSession['message']
    const asked = [first.asked, second.asked]
    const session = await anOpenSession(
      system(),
      scene.person,
      sessionOf(scene.drafts, asked, { message, deadline }),
    )
    const [mail, ...more] = await mailsOf(system(), scene.office)
    expect(more).toEqual([])
    expect(mail).toMatchObject({
      ...{ kind: 'signing-turn', state: 'waiting' },
      address: await emailOf(first.person),
    })
    const { person, drafts } = scene
    const named = [
      `${person.firstName} ${person.lastName}`,
      ...drafts.map(({ title }) => title),
      ...[session.title, message, formatDay(deadline)],
      `${system().settings.publicOrigin}/dashboard/signing/${session.id}`,
    ]
    for (const one of named) expect(mail?.text).toContain(one)
    const [now, later] = await turnsOf(session.id)
    expect(now).toMatchObject({ turn_since: system().clock.now() })
    expect(later).toMatchObject({ turn_since: 0 })
  })

  test('next turn: is mailed once the one before has signed, and not to the first again', async () => {
    const scene = await aCeremony(system(), [1, 2])
    const [first, second] = scene.parties
    const [draft] = scene.drafts
    if (!first || !second || !draft) throw new Error('a session of two')
    await anOpenSession(system(), scene.person, sessionOf([draft], [first.asked, second.asked]))
    const asked = async () =>
      (await mailsOf(system(), scene.office))
        .filter(({ kind }) => kind === 'signing-turn')
        .map(({ address }) => address)
        .toSorted()
    const [email, next] = [await emailOf(first.person), await emailOf(second.person)]
    expect(await asked()).toEqual([email])
    await signInSession(system(), first, draft, 2)
    expect(await asked()).toEqual([email, next].toSorted())
  })

  test('external signer: gets an invitation with a link of their own; without an address nothing, and no reminder', async () => {
    const email = 'benito@example.org'
    const invited = await aGuestInvitation(system(), [
      external({ email, rfc: 'NUPB801201QX7' }),
      external({ name: 'Ana Luna Paz', rfc: 'LUPA800101AB1' }),
    ])
    const mails = await mailsOf(system(), invited.office)
    expect(mails).toMatchObject([{ kind: 'signing-invitation', address: email }])
    expect(mails[0]?.text).toMatch(/\/sign#\S+/)
    const turns = await turnsOf(invited.sessionId)
    const begun = new Map(turns.map(({ name, turn_since }) => [name, turn_since > 0]))
    expect([begun.get('Benito Núñez Peña'), begun.get('Ana Luna Paz')]).toEqual([true, false])
  })

  test('reminder: takes the place of the mail that waits; the link of the invitation still opens', async () => {
    const email = 'benito@example.org'
    const invited = await aGuestInvitation(system(), [external({ email })])
    const [signerId] = invited.signerIds
    if (!signerId) throw new Error('a session of one')
    system().wait(days(1))
    const [code] = await mailedCodes(system(), invited)
    if (!code) throw new Error('no link was mailed')
    await remindSigner(system(), invited.person, {
      ...{ signingSessionId: invited.sessionId, signerId },
    })
    const mails = await mailsOf(system(), invited.office)
    expect(mails.map(({ kind, state }) => [kind, state])).toEqual([
      ['signing-invitation', 'discarded'],
      ['signing-reminder', 'waiting'],
    ])
    expect(mails[1]?.text).toMatch(/\/sign#\S+/)
    expect(await opened(system(), code)).toBeTruthy()
  })
})
