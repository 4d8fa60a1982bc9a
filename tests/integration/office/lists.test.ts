import { expect, test } from 'vitest'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { Day } from '#server/domain/day.ts'
import type { Role } from '#server/domain/identity/role.ts'
import type { User } from '#server/domain/identity/user.ts'
import { after, before, days, hours, parseInstant } from '#server/domain/time.ts'
import {
  type ListRecentEvents,
  listRecentEvents,
} from '#server/features/audit/list-recent-events.ts'
import { listCertificates } from '#server/features/certificates/list-certificates.ts'
import { listEndingCertificates } from '#server/features/certificates/list-ending-certificates.ts'
import { readOffice } from '#server/features/offices/read-office.ts'
import { listUsers } from '#server/features/users/list-users.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { aSignedDocument } from '#tests/support/pdf/signed-document.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

async function anOfficeOf(system: TestSystem, ...roles: Role[]) {
  const office = await storedOffice(system.db)
  const user = await storedUser(system.db, office, roles)
  return { office, user, person: asPerson(user) }
}

onEachSystem('the lists of the office', (current) => {
  test('people, by last name, of the own office alone', async () => {
    const system = current()
    const { office, user, person } = await anOfficeOf(system, 'ADMIN')
    const first = await storedUser(system.db, office, ['CLERK'], { lastName: 'Arce' })
    await storedUser(system.db, await storedOffice(system.db, { number: 13 }))
    expect(await listUsers(system, person)).toEqual({
      reach: 'whole',
      users: [first, user],
      counts: { active: 2 },
      locked: new Set(),
    })
  })

  test.each(['CLERK', 'LAWYER'] as const)(
    'names, roles and capacities alone for the role %s',
    async (role) => {
      const system = current()
      const { office, user, person } = await anOfficeOf(system, role)
      const first = await storedUser(system.db, office, ['NOTARY'], { lastName: 'Arce' })
      await storedUser(system.db, office, ['CLERK'], { state: 'suspended' })
      const shown = ({ id, firstName, lastName, roles, capacity }: User) => ({
        ...{ id, firstName, lastName, roles, capacity },
      })
      expect(await listUsers(system, person)).toEqual({
        reach: 'names',
        users: [shown(first), shown(user)],
      })
      expect(await system.log()).toEqual([])
    },
  )

  test('the own office', async () => {
    const system = current()
    const { office, person } = await anOfficeOf(system, 'CLERK')
    expect(await readOffice(system, person)).toEqual(office)
  })

  test('the log, page by page', async () => {
    const system = current()
    const { person } = await anOfficeOf(system, 'AUDITOR')
    await system.db.transaction(async (trx) => {
      for (let i = 0; i < 60; i++)
        await appendEvent(trx, {
          actor: person,
          at: MORNING,
          action: 'audit.viewed',
          subject: { kind: 'nothing' },
        })
    })
    const first = await listRecentEvents(system, person, {})
    expect(first.events.map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => 59 - i))
    const last = await listRecentEvents(system, person, { before: first.next })
    expect(last.events).toHaveLength(20)
    expect(last.next).toBeUndefined()
  })

  test('log: filters by subject, actor and the days of the office', async () => {
    const system = current()
    const { office, person } = await anOfficeOf(system, 'ADMIN')
    const other = asPerson(await storedUser(system.db, office, ['CLERK'], { lastName: 'Arce' }))
    // In Mexico the evening of a day is the next one in UTC.
    const evening = parseInstant('2026-11-21T05:30:00Z')
    const recorded = [
      { actor: person, at: before(evening, days(1)), action: 'session.started' },
      { actor: other, at: evening, action: 'document.viewed' },
      { actor: person, at: evening, action: 'user.changed' },
      { actor: other, at: after(evening, hours(1)), action: 'session.started' },
    ] as const
    for (const event of recorded)
      await system.db.transaction((trx) =>
        appendEvent(trx, { ...event, subject: { kind: 'nothing' } }),
      )
    const found = async (input: ListRecentEvents, by = person) =>
      (await listRecentEvents(system, by, input)).events.map(({ seq }) => seq)
    const day = Day.parse('2026-11-20')
    expect(await found({ about: 'access' })).toEqual([3, 0])
    expect(await found({ by: other.userId })).toEqual([3, 1])
    expect(await found({ from: day })).toEqual([3, 2, 1])
    expect(await found({ to: day })).toEqual([2, 1, 0])
    expect(await found({ from: day, to: day, by: person.userId })).toEqual([2])
    expect(await found({ from: day, before: 3, about: 'documents' })).toEqual([1])
    // A user who may read only their own events gets no others by filtering.
    expect(await found({ by: person.userId }, other)).toEqual([3, 1])
  })

  test('the log of one document', async () => {
    const system = current()
    const { author, document } = await aSignedDocument(system.db)
    const { events } = await listRecentEvents(system, asPerson(author), { subjectId: document.id })
    expect(events.map(({ action }) => action)).toEqual(['document.signed'])
  })

  test.each(['CLERK', 'LAWYER'] as const)(
    'their own events alone for the role %s',
    async (role) => {
      const system = current()
      const { office, author, document } = await aSignedDocument(system.db)
      const person = asPerson(await storedUser(system.db, office, [role]))
      await system.db.transaction((trx) =>
        appendEvent(trx, {
          actor: person,
          at: MORNING,
          action: 'document.viewed',
          subject: { kind: 'document', id: document.id },
        }),
      )
      const own = await listRecentEvents(system, person, {})
      expect(own).toMatchObject({ reach: 'own', next: undefined })
      expect(own.events.map(({ action }) => action)).toEqual(['document.viewed'])
      const all = await listRecentEvents(system, asPerson(author), {})
      expect(all.reach).toBe('office')
      expect(all.events.map(({ action }) => action)).toEqual(['document.viewed', 'document.signed'])
      expect((await system.log()).map(({ action }) => action)).not.toContain('access.refused')
    },
  )

  test('a stranger sees nothing', async () => {
    const system = current()
    for (const use of [listUsers, readOffice, listCertificates])
      await expect(use(system, anonymous)).rejects.toMatchObject({ code: 'not-signed-in' })
    const ending = listEndingCertificates(system, anonymous, { limit: 7 })
    await expect(ending).rejects.toMatchObject({ code: 'not-signed-in' })
    const reading = listRecentEvents(system, anonymous, {})
    await expect(reading).rejects.toMatchObject({ code: 'not-signed-in' })
    expect(await system.log()).toEqual([])
  })
})

const anonymous: Parameters<typeof listUsers>[1] = stranger()
