import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { listUserNames } from '#server/db/people/users.ts'
import type { Role } from '#server/domain/identity/role.ts'
import { SessionId, UserId } from '#server/domain/ids.ts'
import { minutes } from '#server/domain/time.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { endUserSession } from '#server/features/users/end-user-session.ts'
import { endUserSessions } from '#server/features/users/end-user-sessions.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import { readUser } from '#server/features/users/read-user.ts'
import { origin, storedOffice } from '#tests/support/builders.ts'
import { withApp } from '#tests/support/keys/second-factors.ts'
import { registeredKey } from '#tests/support/keys/security-keys.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { newSession } from '#tests/support/office/sessions.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('access of users, seen by an administrator', (current) => {
  test('data, sessions and factors, and no secret of them', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    await registeredKey(system, clerk.person)
    const { secret } = await withApp(system, clerk.person)
    await newSession(system, { user: clerk.user, office }, { device: 'Firefox en Linux' })
    const page = await readUser(system, admin.person, { userId: clerk.user.id })
    expect(page).toMatchObject({
      user: { id: clerk.user.id },
      timeZone: 'America/Mexico_City',
      isOneself: false,
      access: {
        sessions: [{ device: 'Firefox en Linux' }, { device: 'Chrome en Windows' }],
        totp: { since: expect.any(Number) },
        keys: [{ state: 'active' }],
        backupCodes: { left: 10, total: 10 },
        activation: null,
        removal: null,
      },
    })
    expect(page.names.get(clerk.user.id)).toBe('Iván Cruz')
    const shown = JSON.stringify(page)
    for (const hidden of [secret, 'publicKey', 'credentialId', 'sealed', 'hash'])
      expect(shown).not.toContain(hidden)
  })

  test.each([
    ['NOTARY', 'data alone'],
    ['AUDITOR', 'data alone'],
    ['ADMIN', 'access'],
    ['CLERK', 'forbidden'],
    ['LAWYER', 'forbidden'],
  ] as const)('%s: %s', async (role: Role, seen) => {
    const system = current()
    const { office, clerk } = await anOfficeWithStaff(system)
    const { person } = await aMember(system, office, [role])
    const reading = readUser(system, person, { userId: clerk.user.id })
    if (seen === 'forbidden') expect(await outcomeOf(reading)).toBe('forbidden')
    else expect((await reading).access === null).toBe(seen === 'data alone')
  })

  test('people of another office are not there', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }))
    for (const userId of [foreign.user.id, UserId.parse(randomUUID())]) {
      expect(await outcomeOf(readUser(system, admin.person, { userId }))).toBe('not-found')
      expect(await outcomeOf(endUserSessions(system, admin.person, { userId }))).toBe('not-found')
    }
    expect(await resumeSession(system, origin, foreign.access)).toBeDefined()
  })

  test('one session is ended, recorded once, and its owner is notified', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    const other = await newSession(system, { user: clerk.user, office })
    const recorded = await watchLog(system)
    const input = { userId: clerk.user.id, sessionId: clerk.person.sessionId }
    await Promise.all([1, 2].map(() => endUserSession(system, admin.person, input)))
    expect(await recorded()).toEqual(['session.ended success'])
    expect(await resumeSession(system, origin, clerk.access)).toBeUndefined()
    expect(await resumeSession(system, origin, other.tokens.access)).toBeDefined()
    expect(await listAlertRows(system)).toMatchObject([
      { kind: 'sessions-ended', user_id: clerk.user.id },
    ])
  })

  test("a session is ended under its owner's name alone", async () => {
    const system = current()
    const { admin, second, clerk } = await anOfficeWithStaff(system)
    const { sessionId } = second.person
    for (const input of [
      { userId: clerk.user.id, sessionId },
      { userId: clerk.user.id, sessionId: SessionId.parse(randomUUID()) },
    ])
      expect(await outcomeOf(endUserSession(system, admin.person, input))).toBe('not-found')
    expect(await resumeSession(system, origin, second.access)).toBeDefined()
  })

  test('all sessions of one person are ended', async () => {
    const system = current()
    const { office, admin, clerk, second } = await anOfficeWithStaff(system)
    await newSession(system, { user: clerk.user, office })
    const recorded = await watchLog(system)
    const input = { userId: clerk.user.id }
    expect(await endUserSessions(system, admin.person, input)).toBe(2)
    expect(await endUserSessions(system, admin.person, input)).toBe(0)
    expect(await recorded()).toEqual(['session.ended success'])
    expect((await system.log()).at(-1)).toMatchObject({
      actor: { userId: admin.user.id },
      subject: { id: clerk.user.id },
      details: { reason: 'ended-by-administrator', sessions: 2 },
    })
    expect(await resumeSession(system, origin, clerk.access)).toBeUndefined()
    expect(await resumeSession(system, origin, second.access)).toBeDefined()
  })

  test('end all sessions: keeps the own session of the caller', async () => {
    const system = current()
    const { office, admin } = await anOfficeWithStaff(system)
    await newSession(system, { user: admin.user, office })
    const ended = await endUserSessions(system, admin.person, { userId: admin.user.id })
    expect(ended).toBe(1)
    expect(await resumeSession(system, origin, admin.access)).toBeDefined()
    expect(await listAlertRows(system)).toEqual([])
  })

  test('requires the role and a recent proof of identity', async () => {
    const system = current()
    const { admin, clerk, second } = await anOfficeWithStaff(system)
    const input = { userId: second.user.id, sessionId: second.person.sessionId }
    expect(await outcomeOf(endUserSession(system, clerk.person, input))).toBe('forbidden')
    expect(await outcomeOf(endUserSessions(system, clerk.person, input))).toBe('forbidden')
    system.wait(minutes(10))
    expect(await outcomeOf(endUserSession(system, admin.person, input))).toBe('step-up-needed')
    expect(await outcomeOf(endUserSessions(system, admin.person, input))).toBe('step-up-needed')
  })

  test('the list is searched and filtered, and the totals ignore the filter', async () => {
    const system = current()
    const { office, admin, clerk } = await anOfficeWithStaff(system)
    await aMember(system, office, ['CLERK'], { lastName: 'Ñandú', state: 'suspended' })
    const search = async (input: Parameters<typeof listUsers>[2]) => {
      const found = await listUsers(system, admin.person, input)
      return found.users.map(({ lastName }) => lastName)
    }
    expect(await search({ text: 'nandu' })).toEqual(['Ñandú'])
    expect(await search({ text: clerk.user.email.toUpperCase() })).toEqual(['Cruz'])
    expect(await search({ state: 'suspended' })).toEqual(['Ñandú'])
    expect(await search({ state: 'invited' })).toEqual([])
    expect(await listUsers(system, admin.person, { text: 'nadie' })).toEqual({
      reach: 'whole',
      users: [],
      counts: { active: 3, suspended: 1 },
      locked: new Set(),
    })
    // Users who see only names can search only by name, and only among active users.
    const names = async (text: string) => (await listUsers(system, clerk.person, { text })).users
    expect(await names(admin.user.email)).toEqual([])
    expect(await names('ñandú')).toEqual([])
    expect(await names('MENDEZ')).toHaveLength(1)
  })

  test('the list is in the order of the Spanish alphabet: accents do not count, ñ follows n', async () => {
    const system = current()
    const { office, admin } = await anOfficeWithStaff(system)
    for (const lastName of ['Ñáñez', 'Ávila', 'Zúñiga', 'Nájera', 'Olvera'])
      await aMember(system, office, ['CLERK'], { lastName })
    await aMember(system, office, ['CLERK'], { firstName: 'Álvaro', lastName: 'Nájera' })
    const { users } = await listUsers(system, admin.person)
    const listed = users.map(({ lastName }) => lastName)
    const added = ['Ávila', 'Nájera', 'Nájera', 'Ñáñez', 'Olvera', 'Zúñiga']
    expect(listed.filter((lastName) => added.includes(lastName))).toEqual(added)
    expect(users.find(({ lastName }) => lastName === 'Nájera')?.firstName).toBe('Álvaro')
    const names = await listUserNames(system.db, office.id)
    expect(names.map(({ lastName }) => lastName)).toEqual(listed)
  })
})
