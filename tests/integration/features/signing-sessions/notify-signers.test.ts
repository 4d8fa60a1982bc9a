import { expect, test } from 'vitest'
import { findUser } from '#server/db/people/users.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { type Ceremony, withSignature } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { after, days, formatDay, hours } from '#server/domain/time.ts'
import type { CreateSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { notifyNewTurns, notifySigners } from '#server/steps/signing/notify-signers.ts'
import {
  aCeremony,
  anOpenSession,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { aGuestInvitation, external, mailedCodes, opened } from '#tests/support/office/guests.ts'
import { mailsOf } from '#tests/support/office/mails.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { storedCeremony } from '#tests/support/office/stored-ceremony.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSigningSystem('mails to signers', (system) => {
  const emailOf = async ({ userId }: Person) => (await findUser(system().db, userId))?.email
  const turnsOf = async (signingSessionId: string) =>
    await system()
      .db.selectFrom('signers')
      .select(['name', 'turn_since'])
      .where('signing_session_id', '=', signingSessionId)
      .orderBy('step')
      .execute()

  test('turn of a user: the mail names who asks, folio and kind of the documents and the deadline, and leads to the session', async () => {
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
      ...drafts.map(({ folio }) => `${folio} (Poder)`),
      formatDay(deadline),
      `${system().settings.publicOrigin}/dashboard/signing/${session.id}`,
    ]
    for (const one of named) expect(mail?.text).toContain(one)
    for (const one of [session.title, message, ...drafts.map(({ title }) => title)])
      expect(mail?.text).not.toContain(one)
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

onEachSystem('mails to the signers of a session', (current) => {
  const notify = (
    ceremony: Ceremony,
    signers: readonly Signer[],
    kind: 'signing-turn' | 'signing-reminder',
  ) => {
    const { db, clock } = current()
    return db.transaction((trx) =>
      notifySigners(trx, current(), ceremony, signers, kind, clock.now()),
    )
  }
  const linksOf = async ({ id }: Signer) => {
    const links = current().db.selectFrom('signing_links').select('state')
    const rows = await links.where('signer_id', '=', id).execute()
    return rows.map(({ state }) => state).toSorted()
  }

  test.each([
    ['signing-turn', ['signing-turn', 'signing-invitation']],
    ['signing-reminder', ['signing-reminder', 'signing-reminder']],
  ] as const)(
    '%s: each signer with an address gets one, as a user or with a link',
    async (kind, kinds) => {
      const { office, author, user, document, signers, ceremony } = await storedCeremony(
        current().db,
      )
      expect(await notify(ceremony, signers, kind)).toBe(2)
      const mails = await mailsOf(current(), office)
      expect(mails.length).toBe(2)
      const [toUser, toExternal] = [
        mails.find(({ address }) => address === user.email),
        mails.find(({ address }) => address === 'benito@ejemplo.example'),
      ]
      expect([toUser?.kind, toExternal?.kind]).toEqual(kinds)
      expect([toUser?.to, toExternal?.to]).toEqual(['Iván Méndez', 'Benito Núñez'])
      for (const mail of mails) expect(mail.text).toContain(fullName(author))
      for (const text of [ceremony.session.title, document.title])
        expect(toExternal?.text).toContain(text)
      expect(toUser?.text).toContain(`/dashboard/signing/${ceremony.session.id}`)
      expect(toUser?.text).not.toContain('/sign#')
      expect(toExternal?.text).toMatch(/\/sign#\S+/)
      expect(toExternal?.text).not.toContain('/dashboard/')
      expect(await Promise.all(signers.map(linksOf))).toEqual([[], ['open'], []])
    },
  )

  test('a newer mail takes the place of the one that waits; a turn ends the link before, a reminder does not', async () => {
    const { office, signers, ceremony } = await storedCeremony(current().db)
    for (const kind of ['signing-turn', 'signing-reminder', 'signing-turn'] as const)
      await notify(ceremony, signers, kind)
    const states = (await mailsOf(current(), office)).map(({ state }) => state)
    expect(states.toSorted()).toEqual([
      ...['discarded', 'discarded', 'discarded', 'discarded', 'waiting', 'waiting'],
    ])
    expect(await linksOf(signers[1])).toEqual(['open', 'revoked', 'revoked'])
    await notify(ceremony, signers, 'signing-reminder')
    expect(await linksOf(signers[1])).toEqual(['open', 'open', 'revoked', 'revoked'])
  })

  test('signers without an address: none, and their number says so', async () => {
    const { office, signers, ceremony } = await storedCeremony(current().db)
    expect(await notify(ceremony, [signers[2]], 'signing-turn')).toBe(0)
    expect(await notify(ceremony, [], 'signing-turn')).toBe(0)
    expect(await mailsOf(current(), office)).toEqual([])
  })

  test('turns: who had one before is not asked again; reminders count from the new one', async () => {
    const { office, document, signers, ceremony } = await storedCeremony(current().db, {
      office: { reminders: '3' },
      signers: [{ step: 1 }, { step: 2 }, { step: 2 }],
    })
    const { db, clock } = current()
    const move = async (before: Ceremony | undefined, after: Ceremony) => {
      current().wait(hours(1))
      await db.transaction((trx) => notifyNewTurns(trx, current(), before, after, clock.now()))
    }
    const asked = async () => (await mailsOf(current(), office)).map(({ to }) => to)
    const turns = async () => {
      const rows = db.selectFrom('signers').select(['turn_since', 'reminder_due']).orderBy('place')
      return (await rows.execute()).map((row) => [Number(row.turn_since), Number(row.reminder_due)])
    }
    await move(undefined, ceremony)
    const first = clock.now()
    expect(await asked()).toEqual(['Iván Méndez'])
    await move(ceremony, ceremony)
    expect(await asked()).toEqual(['Iván Méndez'])
    await move(ceremony, withSignature(ceremony, document.id, signers[0].id))
    const second = clock.now()
    expect(await asked()).toEqual(['Iván Méndez', 'Benito Núñez'])
    expect(await turns()).toEqual([
      [first, after(first, days(3))],
      [second, after(second, days(3))],
      [0, 0],
    ])
  })
})
