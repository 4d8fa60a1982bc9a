import { expect, test } from 'vitest'
import type { ReminderPolicy } from '#server/domain/identity/office.ts'
import type { SignerId } from '#server/domain/ids.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, hours } from '#server/domain/time.ts'
import { openSigningLink } from '#server/features/guests/open-signing-link.ts'
import { changePolicies } from '#server/features/offices/change-policies.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { remindSigner } from '#server/features/signing-sessions/remind-signer.ts'
import { sendDueReminders } from '#server/features/signing-sessions/send-due-reminders.ts'
import { asPerson, storedUser, stranger } from '#tests/support/builders.ts'
import {
  aCeremony,
  anOpenSession,
  type Party,
  sessionOf,
  signInSession,
} from '#tests/support/office/ceremonies.ts'
import { aGuestInvitation, aLink, external } from '#tests/support/office/guests.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'

onEachSigningSystem('automatic reminders', (system) => {
  async function decide(office: Parameters<typeof storedUser>[1], policy: ReminderPolicy) {
    const admin = asPerson(await storedUser(system().db, office, ['ADMIN']))
    const proven = { ...admin, provenAt: system().clock.now() }
    await changePolicies(system(), proven, { decided: { reminders: policy } })
  }
  /** Who was reminded so far, and on which day, as the log says. */
  const reminded = async () =>
    (await system().log())
      .filter(({ action }) => action === 'signer.reminded')
      .map(({ details }) => `${details.name}: ${details.day}`)
  const mails = async () =>
    (
      await system().db.transaction((trx) =>
        trx.selectFrom('outbox').select('kind').where('kind', '=', 'signing-reminder').execute(),
      )
    ).length
  const runOnDay = async (count: number, from: number) => {
    system().wait(days(count - from))
    await sendDueReminders(system())
  }

  async function waiting(policy: ReminderPolicy, steps = [1], changes = {}) {
    const scene = await aCeremony(system(), steps)
    await decide(scene.office, policy)
    const asked = scene.parties.map((party) => party.asked)
    const { id } = await anOpenSession(
      system(),
      scene.person,
      sessionOf(scene.drafts, asked, changes),
    )
    const names = scene.parties.map(({ person }) => `${person.firstName} ${person.lastName}`)
    return { ...scene, id, names, parties: scene.parties as [Party, ...Party[]] }
  }

  test('reminder: one at each step of the office, with an event and a mail, and none between', async () => {
    const { names } = await waiting('1,3,7')
    await sendDueReminders(system())
    expect(await reminded()).toEqual([])
    await runOnDay(1, 0)
    await sendDueReminders(system())
    await runOnDay(2, 1)
    expect(await reminded()).toEqual([`${names[0]}: 1`])
    await runOnDay(3, 2)
    await runOnDay(7, 3)
    await runOnDay(30, 7)
    expect(await reminded()).toEqual([`${names[0]}: 1`, `${names[0]}: 3`, `${names[0]}: 7`])
    expect(await mails()).toBe(3)
    expect((await system().log()).at(-1)?.actor).toMatchObject({ kind: 'system' })
  })

  test('reminder: two processes at once send it once', async () => {
    await waiting('1')
    system().wait(days(1))
    await Promise.all([1, 2, 3].map(() => sendDueReminders(system())))
    expect(await reminded()).toHaveLength(1)
    expect(await mails()).toBe(1)
  })

  test('reminder: after a pause over several steps one, not one for each', async () => {
    await waiting('1,3,7')
    await runOnDay(5, 0)
    await runOnDay(6, 5)
    expect(await reminded()).toHaveLength(1)
    await runOnDay(7, 6)
    expect(await reminded()).toHaveLength(2)
  })

  test('reminder: counts from the turn of the signer, and only for who is in turn', async () => {
    const { parties, drafts, names } = await waiting('3', [1, 2])
    await runOnDay(2, 0)
    await signInSession(system(), parties[0], drafts[0]!, 2)
    await runOnDay(3, 2)
    expect(await reminded()).toEqual([])
    await runOnDay(5, 3)
    expect(await reminded()).toEqual([`${names[1]}: 3`])
  })

  test('reminder: none after the session ended', async () => {
    const { id, person } = await waiting('1')
    await cancelSigningSession(system(), person, {
      signingSessionId: id,
      reason: 'No hubo acuerdo' as Reason,
    })
    await runOnDay(1, 0)
    expect(await reminded()).toEqual([])
    expect(await mails()).toBe(0)
  })

  test('reminder: none after the deadline, and again from the day on which it is extended', async () => {
    const deadline = after(system().clock.now(), hours(20))
    const { id, person } = await waiting('1', [1], { deadline })
    await runOnDay(1, 0)
    expect(await reminded()).toEqual([])
    await expireSigningSessions(system())
    await runOnDay(4, 1)
    await extendSigningSession(system(), person, { signingSessionId: id, deadline: null })
    await sendDueReminders(system())
    expect(await reminded()).toEqual([])
    await runOnDay(5, 4)
    expect(await reminded()).toHaveLength(1)
  })

  test('reminder: none within twelve hours of one that a person sent', async () => {
    const { id, person } = await waiting('1,3')
    const [signer] = await system().db.transaction((trx) =>
      trx.selectFrom('signers').select('id').where('signing_session_id', '=', id).execute(),
    )
    system().wait(hours(20))
    await remindSigner(system(), person, { signingSessionId: id, signerId: signer?.id as SignerId })
    system().wait(hours(4))
    await sendDueReminders(system())
    expect(await mails()).toBe(1)
    await runOnDay(3, 1)
    expect(await mails()).toBe(2)
  })

  test('reminder: none to a suspended account', async () => {
    const { parties } = await waiting('1,3')
    const { userId } = parties[0].person
    await system().db.transaction((trx) =>
      trx.updateTable('users').set({ state: 'suspended' }).where('id', '=', userId).execute(),
    )
    await runOnDay(1, 0)
    expect(await reminded()).toEqual([])
  })

  test('policy: holds for who waits already, without the steps that have passed', async () => {
    const { office } = await waiting('none')
    await runOnDay(2, 0)
    expect(await reminded()).toEqual([])
    await decide(office, '1,3')
    await sendDueReminders(system())
    expect(await reminded()).toEqual([])
    await runOnDay(3, 2)
    expect(await reminded()).toHaveLength(1)
    await decide(office, '7')
    await decide(office, 'none')
    await runOnDay(7, 3)
    expect(await reminded()).toHaveLength(1)
  })

  test('external signer: reminded by mail, and the link on paper still opens', async () => {
    const mail = external({ email: 'benito@ejemplo.example' })
    const scene = await aGuestInvitation(system(), [mail, external({ rfc: 'PERC850101QX8' })])
    const code = await aLink(system(), scene)
    await decide(scene.office, '1')
    await runOnDay(1, 0)
    expect(await reminded()).toEqual(['Benito Núñez Peña: 1'])
    expect(await mails()).toBe(1)
    expect(await openSigningLink(system(), stranger(), { code, held: undefined })).toBeDefined()
  })
})
