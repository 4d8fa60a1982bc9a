import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listActiveAdministrators } from '#server/db/people/administrators.ts'
import { findUser } from '#server/db/people/users.ts'
import { UserId } from '#server/domain/ids.ts'
import { minutes, toTimestamp } from '#server/domain/time.ts'
import { activateAccount } from '#server/features/auth/activate-account.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { ChangeUser, changeUser } from '#server/features/users/change-user.ts'
import { InviteUser, inviteUser } from '#server/features/users/invite-user.ts'
import { issueRecovery } from '#server/features/users/issue-recovery.ts'
import { reactivateUser } from '#server/features/users/reactivate-user.ts'
import { renewInvitation } from '#server/features/users/renew-invitation.ts'
import { requirePasswordChange } from '#server/features/users/require-password-change.ts'
import { SuspendUser, suspendUser } from '#server/features/users/suspend-user.ts'
import { writtenData } from '#server/features/users/user-data.ts'
import { startSession } from '#server/steps/sign-ins/start-session.ts'
import { origin, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  aMember,
  anOfficeWithStaff,
  type Member,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const reason = 'Ya no trabaja en la notaría'
const ZONE = 'America/Mexico_City'
const PASSWORD = 'caballo correcto batería grapa'

const INVITED = {
  firstName: 'Ana Lucía',
  lastName: 'Ñandú Peña',
  email: 'Ana@Notaria.example',
  rfc: 'ñapa900101ab1',
  curp: null,
  roles: ['NOTARY', 'CLERK', 'CLERK'],
  capacity: 'suplente',
  capacityOf: 'Lic. Íñigo Ñandú, Notaría 14 de Coyoacán',
  capacityFrom: '2026-11-20',
  capacityTo: null,
}
const invitation = (changes: object = {}) => InviteUser.parse({ ...INVITED, ...changes })

onEachSystem('the users of an office', (current) => {
  test('invitation: its link signs the user in once', async () => {
    const system = current()
    const { office, admin } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const { user, link } = await inviteUser(system, admin.person, invitation())
    expect(user).toMatchObject({
      officeId: office.id,
      email: 'ana@notaria.example',
      rfc: 'ÑAPA900101AB1',
      roles: ['NOTARY', 'CLERK'],
      state: 'invited',
      stateBy: admin.user.id,
    })
    expect(toTimestamp(user.capacityFrom as never)).toBe('2026-11-20T06:00:00.000Z')
    expect(await findUser(system.db, user.id)).toMatchObject({ state: 'invited' })
    expect(await recorded()).toEqual(['user.created success', 'activation.created success'])

    const used = { code: link.code, password: PASSWORD }
    const came = await activateAccount(system, stranger(), used)
    expect(came.kind).toBe('signed-in')
    expect(await findUser(system.db, user.id)).toMatchObject({ state: 'active' })
    expect(await outcomeOf(activateAccount(system, stranger(), used))).toBe('link-spent')
    expect(JSON.stringify(await system.log())).not.toContain(link.code)
  })

  test('email address: belongs to one account, in any case and office', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const elsewhere = await storedOffice(system.db, { number: 99 })
    await storedUser(system.db, elsewhere, ['CLERK'], { email: 'ana@notaria.example' })
    const recorded = await watchLog(system)
    expect(await outcomeOf(inviteUser(system, admin.person, invitation()))).toBe('address-taken')
    expect(await recorded()).toEqual([])

    const twice = [1, 2].map(() =>
      outcomeOf(inviteUser(system, admin.person, invitation({ email: 'otra@notaria.example' }))),
    )
    expect((await Promise.all(twice)).toSorted()).toEqual(['address-taken', 'done'])
  })

  test.each([
    ['an unknown field', { officeId: randomUUID() }],
    ['a password', { password: PASSWORD }],
    ['a state', { state: 'active' }],
    ['no role', { roles: [] }],
    ['a role that does not exist', { roles: ['ROOT'] }],
    ['a capacity without the notary', { roles: ['CLERK'] }],
    ['a capacity that ends before it begins', { capacityTo: '2026-11-19' }],
    ['days without a capacity', { capacity: null }],
    ['a day that does not exist', { capacityFrom: '2026-02-30' }],
    ['the RFC of a company', { rfc: 'ABC900101AB1' }],
    ['an RFC with an impossible day', { rfc: 'ÑAPA900231AB1' }],
    ['a control character', { firstName: 'Ana\u0000' }],
  ])('%s is refused', (_, changes) => {
    expect(InviteUser.safeParse({ ...INVITED, ...changes }).success).toBe(false)
  })

  test('a new invitation ends the one before', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const { user, link } = await inviteUser(system, admin.person, invitation())
    const recorded = await watchLog(system)
    const next = await renewInvitation(system, admin.person, { userId: user.id })
    expect(await recorded()).toEqual(['activation.created success'])
    const old = activateAccount(system, stranger(), { code: link.code, password: PASSWORD })
    expect(await outcomeOf(old)).toBe('link-spent')
    const came = await activateAccount(system, stranger(), { code: next.code, password: PASSWORD })
    expect(came.kind).toBe('signed-in')
    const late = renewInvitation(system, admin.person, { userId: user.id })
    expect(await outcomeOf(late)).toBe('account-state')
  })

  test('data and roles are changed, at once, and the person hears of it', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const data = { ...writtenData(clerk.user, ZONE), lastName: 'Cruz Íñiguez', roles: ['LAWYER'] }
    const input = ChangeUser.parse({ userId: clerk.user.id, data })
    await changeUser(system, admin.person, input)
    await changeUser(system, admin.person, input)
    expect(await recorded()).toEqual(['user.changed success'])
    expect((await system.log()).at(-1)?.details).toEqual({
      changed: 'lastName,roles',
      rolesBefore: 'CLERK',
      roles: 'LAWYER',
    })
    expect(await resumeSession(system, origin, clerk.access)).toMatchObject({
      lastName: 'Cruz Íñiguez',
      roles: ['LAWYER'],
    })
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'account-changed', user_id: clerk.user.id, severity: 'warning' },
    ])
  })

  test('the administrators hear of each new one', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const { user } = await inviteUser(
      system,
      admin.person,
      invitation({ roles: ['ADMIN', 'NOTARY'] }),
    )
    const data = { ...writtenData(clerk.user, ZONE), roles: ['CLERK', 'ADMIN'] }
    const input = ChangeUser.parse({ userId: clerk.user.id, data })
    await changeUser(system, admin.person, input)
    await changeUser(system, admin.person, input)
    const added = (await listAlertRows(system)).filter(({ kind }) => kind === 'administrator-added')
    expect(added.map(({ subject_id, user_id }) => [subject_id, user_id]).toSorted()).toEqual(
      [user.id, clerk.user.id].map((id) => [id, null]).toSorted(),
    )
  })

  test('an unchanged form writes nothing', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const input = { capacityTo: '2027-11-19' }
    const { user } = await inviteUser(system, admin.person, invitation(input))
    const recorded = await watchLog(system)
    const data = ChangeUser.shape.data.parse(writtenData(user, ZONE))
    await changeUser(system, admin.person, { userId: user.id, data })
    expect(await recorded()).toEqual([])
  })

  test('email address: must be unique', async () => {
    const system = current()
    const { admin, second, clerk } = await anOfficeWithStaff(system)
    const data = ChangeUser.shape.data.parse({
      ...writtenData(clerk.user, ZONE),
      email: second.user.email,
    })
    const change = changeUser(system, admin.person, { userId: clerk.user.id, data })
    expect(await outcomeOf(change)).toBe('address-taken')
  })

  async function demote(system: TestSystem, by: Member, whom: Member) {
    const data = ChangeUser.shape.data.parse({
      ...writtenData(whom.user, ZONE),
      roles: ['NOTARY'],
    })
    return await outcomeOf(changeUser(system, by.person, { userId: whom.user.id, data }))
  }

  test('users: no user demotes or suspends themself or the last administrator', async () => {
    const system = current()
    const { admin, second } = await anOfficeWithStaff(system)
    const suspend = (by: Member, whom: Member) =>
      outcomeOf(suspendUser(system, by.person, { userId: whom.user.id, reason }))
    expect(await demote(system, admin, admin)).toBe('second-person-needed')
    expect(await suspend(admin, admin)).toBe('second-person-needed')
    expect(await demote(system, admin, second)).toBe('done')
    expect(await demote(system, admin, admin)).toBe('last-administrator')
    // A demoted administrator decides nothing, even with a session that was loaded before.
    expect(await suspend(second, admin)).toBe('forbidden')
    expect(await findUser(system.db, admin.user.id)).toMatchObject({ state: 'active' })
  })

  test('two administrators who suspend each other: one stays active', async () => {
    const system = current()
    const { office, admin, second } = await anOfficeWithStaff(system)
    const outcomes = await Promise.all([
      outcomeOf(suspendUser(system, admin.person, { userId: second.user.id, reason })),
      outcomeOf(suspendUser(system, second.person, { userId: admin.user.id, reason })),
    ])
    expect(outcomes.toSorted()).toEqual(['done', 'forbidden'])
    expect(await listActiveAdministrators(system.db, office.id)).toHaveLength(1)
  })

  test('suspension: ends access with the next request, reactivation restores it', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const userId = clerk.user.id
    await Promise.all([1, 2].map(() => suspendUser(system, admin.person, { userId, reason })))
    expect(await recorded()).toEqual(['user.suspended success'])
    expect((await system.log()).at(-1)?.details).toEqual({ reason, from: 'active', sessions: 1 })
    expect(await resumeSession(system, origin, clerk.access)).toBeUndefined()
    expect(await findUser(system.db, userId)).toMatchObject({
      state: 'suspended',
      stateBy: admin.user.id,
      stateReason: reason,
    })

    await Promise.all([1, 2].map(() => reactivateUser(system, admin.person, { userId, reason })))
    expect((await recorded()).slice(1)).toEqual(['user.reactivated success'])
    expect(await findUser(system.db, userId)).toMatchObject({ state: 'active' })
    // The session of before stays ended.
    expect(await resumeSession(system, origin, clerk.access)).toBeUndefined()
  })

  test.each(['suspended', 'demoted'])(
    'links that an administrator made end when they are %s',
    async (how) => {
      const system = current()
      const { office, admin, second, clerk } = await anOfficeWithStaff(system)
      const recovery = await issueRecovery(system, admin.person, { userId: clerk.user.id })
      const invited = await inviteUser(
        system,
        admin.person,
        invitation({ roles: ['ADMIN', 'NOTARY'] }),
      )
      const own = await issueRecovery(system, second.person, { userId: admin.user.id })
      const userId = admin.user.id
      if (how === 'suspended') await suspendUser(system, second.person, { userId, reason })
      else {
        const data = { ...writtenData(admin.user, office.timeZone), roles: ['CLERK'] }
        await changeUser(system, second.person, ChangeUser.parse({ userId, data }))
      }
      const use = ({ code }: { code: typeof recovery.code }) =>
        outcomeOf(activateAccount(system, stranger(), { code, password: PASSWORD }))
      expect(await use(recovery)).toBe('link-spent')
      expect(await use(invited.link)).toBe('link-spent')
      expect(await use(own)).toBe(how === 'suspended' ? 'link-spent' : 'done')
      const renewed = await renewInvitation(system, second.person, { userId: invited.user.id })
      expect(await use(renewed)).toBe('done')
    },
  )

  test('a session that began in the instant of the suspension does not open again', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    const userId = clerk.user.id
    await suspendUser(system, admin.person, { userId, reason })
    const { tokens } = await system.db.transaction((trx) =>
      startSession(trx, {
        user: clerk.user,
        office,
        actor: origin,
        at: system.clock.now(),
        tokenKey: system.settings.tokenKey,
        secondFactor: null,
      }),
    )
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
    await reactivateUser(system, admin.person, { userId, reason })
    expect(await resumeSession(system, origin, tokens.access)).toBeUndefined()
  })

  test('reactivation: a user who never signed in is invited again', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const { user, link } = await inviteUser(system, admin.person, invitation())
    const userId = user.id
    await suspendUser(system, admin.person, { userId, reason })
    expect(await outcomeOf(renewInvitation(system, admin.person, { userId }))).toBe('account-state')
    await reactivateUser(system, admin.person, { userId, reason })
    expect(await findUser(system.db, userId)).toMatchObject({ state: 'invited' })
    const old = activateAccount(system, stranger(), { code: link.code, password: PASSWORD })
    expect(await outcomeOf(old)).toBe('link-spent')
  })

  test('a reason is a sentence', () => {
    const userId = randomUUID()
    for (const bad of ['', 'corto', '         ', 'x'.repeat(301), undefined])
      expect(SuspendUser.safeParse({ userId, reason: bad }).success).toBe(false)
  })

  test('another password is asked for: from the next request on nothing else is allowed', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const input = { userId: clerk.user.id, reason }
    await Promise.all([1, 2].map(() => requirePasswordChange(system, admin.person, input)))
    expect(await recorded()).toEqual(['password.change-asked success'])
    expect(await resumeSession(system, origin, clerk.access)).toMatchObject({
      duty: 'change-password',
    })
    expect(await findUser(system.db, clerk.user.id)).toMatchObject({
      passwordChangeBy: admin.user.id,
    })
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'password-change-asked', user_id: clerk.user.id },
    ])
    const { user } = await inviteUser(system, admin.person, invitation())
    const early = requirePasswordChange(system, admin.person, { userId: user.id, reason })
    expect(await outcomeOf(early)).toBe('account-state')
  })

  test('a forgotten password is chosen anew by a link; nothing changes before it is used', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const recorded = await watchLog(system)
    const userId = clerk.user.id
    const link = await issueRecovery(system, admin.person, { userId })
    expect(await recorded()).toEqual(['activation.created success'])
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'recovery-issued', user_id: userId },
    ])
    expect(await resumeSession(system, origin, clerk.access)).toBeDefined()
    const came = await activateAccount(system, stranger(), { code: link.code, password: PASSWORD })
    expect(came.kind).toBe('signed-in')
    expect(await resumeSession(system, origin, clerk.access)).toBeUndefined()

    const own = issueRecovery(system, admin.person, { userId: admin.user.id })
    expect(await outcomeOf(own)).toBe('second-person-needed')
    await suspendUser(system, admin.person, { userId, reason })
    const late = issueRecovery(system, admin.person, { userId })
    expect(await outcomeOf(late)).toBe('account-state')
  })

  test('another office is not there, a role without the right is told, a stale proof is asked for', async () => {
    const system = current()
    const { admin, clerk, second } = await anOfficeWithStaff(system)
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }), ['ADMIN'])
    const uses = (userId: UserId) =>
      [
        (by: Member) => suspendUser(system, by.person, { userId, reason }),
        (by: Member) => reactivateUser(system, by.person, { userId, reason }),
        (by: Member) => requirePasswordChange(system, by.person, { userId, reason }),
        (by: Member) => renewInvitation(system, by.person, { userId }),
        (by: Member) => issueRecovery(system, by.person, { userId }),
        (by: Member) =>
          changeUser(system, by.person, {
            userId,
            data: ChangeUser.shape.data.parse(writtenData(second.user, ZONE)),
          }),
      ] as const
    for (const use of uses(foreign.user.id)) expect(await outcomeOf(use(admin))).toBe('not-found')
    for (const use of uses(UserId.parse(randomUUID())))
      expect(await outcomeOf(use(admin))).toBe('not-found')
    for (const use of uses(second.user.id)) expect(await outcomeOf(use(clerk))).toBe('forbidden')
    expect(await outcomeOf(inviteUser(system, clerk.person, invitation()))).toBe('forbidden')
    system.wait(minutes(10))
    for (const use of uses(second.user.id))
      expect(await outcomeOf(use(admin))).toBe('step-up-needed')
    expect(await outcomeOf(inviteUser(system, admin.person, invitation()))).toBe('step-up-needed')
  })
})
