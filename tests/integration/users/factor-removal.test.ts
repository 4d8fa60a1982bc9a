import { expect, test } from 'vitest'
import { findFactorRemoval } from '#server/db/factors/factor-removals.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findSession } from '#server/db/sign-ins/sessions.ts'
import { days, minutes } from '#server/domain/time.ts'
import { approveFactorRemoval } from '#server/features/users/approve-factor-removal.ts'
import { readUser } from '#server/features/users/read-user.ts'
import { refuseFactorRemoval } from '#server/features/users/refuse-factor-removal.ts'
import { requestFactorRemoval } from '#server/features/users/request-factor-removal.ts'
import { suspendUser } from '#server/features/users/suspend-user.ts'
import { asPerson, storedOffice } from '#tests/support/builders.ts'
import { withApp } from '#tests/support/keys/second-factors.ts'
import { openSignIn, registeredKey } from '#tests/support/keys/security-keys.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  aMember,
  anOfficeWithStaff,
  type Member,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const reason = 'Perdió el teléfono y la llave'

onEachSystem('factor removal', (current) => {
  /** An office with two administrators and a user with every kind of factor. */
  async function anOffice() {
    const system = current()
    const staff = await anOfficeWithStaff(system)
    await registeredKey(system, staff.clerk.person)
    await withApp(system, staff.clerk.person)
    return { system, ...staff, ...staff.clerk, userId: staff.clerk.user.id }
  }

  async function ask(system: TestSystem, by: Member, whom: Member) {
    const asked = await requestFactorRemoval(system, by.person, { userId: whom.user.id, reason })
    if (asked.kind !== 'asked') throw new Error('was done at once')
    return { userId: whom.user.id, removalId: asked.removal.id }
  }
  const hasFactors = async (system: TestSystem, { user }: Member) =>
    (await listHeldFactors(system.db, user.id)).hasSecondFactor
  const isSignedIn = async (system: TestSystem, { person }: Member) =>
    (await findSession(system.db, person.sessionId))?.endedAt === null
  const openAlerts = async (system: TestSystem) =>
    (await listAlertRows(system)).filter(({ kind }) => kind === 'removal-to-approve')

  test('one administrator requests it, another approves, and all factors are removed', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const recorded = await watchLog(system)
    const question = await ask(system, admin, clerk)
    expect(await recorded()).toEqual(['factors.removal-asked success'])
    expect(await hasFactors(system, clerk)).toBe(true)
    expect(await isSignedIn(system, clerk)).toBe(true)
    expect(await openAlerts(system)).toMatchObject([{ user_id: null, state: 'open' }])

    await openSignIn(system, clerk.user)
    await approveFactorRemoval(system, second.person, question)
    expect((await recorded()).slice(1)).toEqual(['factors.removed success'])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { userId: second.user.id },
      subject: { id: clerk.user.id },
      details: {
        reason,
        askedBy: admin.user.id,
        approval: 'second-person',
        totp: 1,
        keys: 1,
        backupCodes: 10,
        sessions: 1,
      },
    })
    expect(await listHeldFactors(system.db, clerk.user.id)).toEqual({
      hasSecondFactor: false,
      methods: [],
    })
    expect(await isSignedIn(system, clerk)).toBe(false)
    expect(await openAlerts(system)).toMatchObject([
      { state: 'resolved', state_by: second.user.id },
    ])
    const own = (await listAlertRows(system)).filter(({ user_id }) => user_id === clerk.user.id)
    const changes = own.map(({ facts }) => JSON.parse(facts).change)
    expect(changes).toContain('removal-asked')
    expect(changes).toContain('all-removed')
    const signIns = await system.db.selectFrom('sign_ins').select('state').execute()
    expect(signIns).toEqual([{ state: 'spent' }])
  })

  test('factor removal: approved neither by its requester nor by the user concerned', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const question = await ask(system, admin, clerk)
    const own = approveFactorRemoval(system, admin.person, question)
    expect(await outcomeOf(own)).toBe('second-person-needed')
    expect(await outcomeOf(approveFactorRemoval(system, clerk.person, question))).toBe('forbidden')
    expect(await hasFactors(system, clerk)).toBe(true)

    await registeredKey(system, second.person)
    const oneself = requestFactorRemoval(system, second.person, { userId: second.user.id, reason })
    expect(await outcomeOf(oneself)).toBe('second-person-needed')
  })

  test('of an administrator is decided by a third one', async () => {
    const { system, office, admin, second } = await anOffice()
    const third = await aMember(system, office, ['ADMIN'])
    await registeredKey(system, second.person)
    const question = await ask(system, admin, second)
    const concerned = approveFactorRemoval(system, second.person, question)
    expect(await outcomeOf(concerned)).toBe('second-person-needed')
    await approveFactorRemoval(system, third.person, question)
    expect(await hasFactors(system, second)).toBe(false)
  })

  test('factor removal: without a second administrator the recorded reason is enough', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const recorded = await watchLog(system)
    await registeredKey(system, second.person)
    const input = { userId: second.user.id, reason }
    expect(await requestFactorRemoval(system, admin.person, input)).toEqual({ kind: 'removed' })
    expect(await hasFactors(system, second)).toBe(false)
    // Of the clerk there is a second person again.
    expect(
      await requestFactorRemoval(system, admin.person, { userId: clerk.user.id, reason }),
    ).toEqual(expect.objectContaining({ kind: 'asked' }))
    await suspendUser(system, admin.person, { userId: second.user.id, reason })
    expect(await recorded()).toContain('factors.removed success')
    expect(
      (await system.log()).find(({ action }) => action === 'factors.removed')?.details,
    ).toMatchObject({ approval: 'alone', reason })
  })

  test('factor removal: a request expires after three days', async () => {
    const { system, office, admin, second, clerk } = await anOffice()
    const question = await ask(system, admin, clerk)
    system.wait(days(3))
    const late = { provenAt: system.clock.now() }
    const person = asPerson(second.user, late)
    expect(await outcomeOf(approveFactorRemoval(system, person, question))).toBe('account-state')
    expect(await outcomeOf(refuseFactorRemoval(system, person, question))).toBe('account-state')
    expect(await hasFactors(system, clerk)).toBe(true)
    const page = await readUser(system, person, { userId: clerk.user.id })
    expect(page.access?.removal).toBeNull()
    const again = await aMember(system, office, ['ADMIN'])
    expect((await ask(system, again, clerk)).removalId).not.toBe(question.removalId)
  })

  test('is requested once and decided once', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const recorded = await watchLog(system)
    const questions = await Promise.all([1, 2].map(() => ask(system, admin, clerk)))
    expect(questions[0]).toEqual(questions[1])
    expect(await recorded()).toEqual(['factors.removal-asked success'])
    const [question] = questions as [(typeof questions)[number]]
    const answers = await Promise.all([
      outcomeOf(approveFactorRemoval(system, second.person, question)),
      outcomeOf(approveFactorRemoval(system, second.person, question)),
      outcomeOf(refuseFactorRemoval(system, admin.person, question)),
    ])
    expect(answers.toSorted()).toEqual(['account-state', 'account-state', 'done'])
    expect(await recorded()).toHaveLength(2)
  })

  test('can be refused, also by the administrator who requested it, and removes nothing', async () => {
    const { system, admin, second, clerk } = await anOffice()
    for (const by of [second, admin]) {
      const question = await ask(system, admin, clerk)
      const recorded = await watchLog(system)
      await refuseFactorRemoval(system, by.person, question)
      expect(await recorded()).toEqual(['factors.removal-refused success'])
      expect(await findFactorRemoval(system.db, question.removalId)).toMatchObject({
        state: 'refused',
        stateBy: by.user.id,
      })
    }
    expect(await hasFactors(system, clerk)).toBe(true)
    expect(await openAlerts(system)).toMatchObject([{ state: 'resolved' }, { state: 'resolved' }])
  })

  test('factor removal: refused for a user without second factors', async () => {
    const { system, admin, second } = await anOffice()
    const asking = requestFactorRemoval(system, admin.person, { userId: second.user.id, reason })
    expect(await outcomeOf(asking)).toBe('account-state')
  })

  test('a question is found under its person alone, in its office alone', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const question = await ask(system, admin, clerk)
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }), ['ADMIN'])
    for (const [by, input] of [
      [foreign, question],
      [second, { ...question, userId: admin.user.id }],
      [foreign, { ...question, userId: foreign.user.id }],
    ] as const) {
      expect(await outcomeOf(approveFactorRemoval(system, by.person, input))).toBe('not-found')
      expect(await outcomeOf(refuseFactorRemoval(system, by.person, input))).toBe('not-found')
    }
    const asking = requestFactorRemoval(system, foreign.person, { userId: clerk.user.id, reason })
    expect(await outcomeOf(asking)).toBe('not-found')
  })

  test('requires a recent proof of identity', async () => {
    const { system, admin, second, clerk } = await anOffice()
    const question = await ask(system, admin, clerk)
    system.wait(minutes(10))
    const { userId } = question
    const outcomes = [
      await outcomeOf(requestFactorRemoval(system, admin.person, { userId, reason })),
      await outcomeOf(approveFactorRemoval(system, second.person, question)),
      await outcomeOf(refuseFactorRemoval(system, second.person, question)),
    ]
    expect(new Set(outcomes)).toEqual(new Set(['step-up-needed']))
  })
})
