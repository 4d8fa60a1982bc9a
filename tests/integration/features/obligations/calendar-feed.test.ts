import { expect, test } from 'vitest'
import { findCalendarFeed } from '#server/db/obligations/calendar-feeds.ts'
import { insertDeadlines } from '#server/db/obligations/deadlines.ts'
import { upsertObligation } from '#server/db/obligations/obligations.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
import { dayOf, daysAfter } from '#server/domain/day.ts'
import { Month } from '#server/domain/reports/month.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { hours, minutes } from '#server/domain/time.ts'
import {
  createCalendarFeed,
  readCalendarFeed,
  revokeCalendarFeed,
} from '#server/features/obligations/calendar-feed.ts'
import { readFeed } from '#server/features/obligations/read-feed.ts'
import { setDeadlines } from '#server/features/obligations/set-deadlines.ts'
import { changeOfficeState } from '#server/features/offices/suspend-office.ts'
import { stranger } from '#tests/support/builders.ts'
import { aDeadline, anObligation } from '#tests/support/office/deadline-rows.ts'
import { anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { aSignedDocument } from '#tests/support/office/signed-documents.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

/** One of many months. */
const monthAt = (index: number) =>
  Month.parse(`${1990 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}`)

onEachSystem('calendar at a secret address', (system) => {
  const read = (secret: string, ip = '198.51.100.4') =>
    readFeed(system(), stranger({ ip }), { secret })

  const events = async () =>
    (await system().log()).map(({ action }) => action).filter((one) => one.startsWith('calendar'))

  test('has what is to be done; its use is noted, and logged once a day', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const { folio } = await aSignedDocument(system(), clerk.person, { kind: 'will' })
    await setDeadlines(system())
    const secret = await createCalendarFeed(system(), clerk.person)
    const { deadlines, hasMore } = await read(secret)
    expect(deadlines[0]?.document).toMatchObject({ folio })
    expect(hasMore).toBe(false)
    await read(secret)
    const used = await readCalendarFeed(system(), clerk.person)
    expect(used?.lastUsedAt).toBe(system().clock.now())
    system().wait(hours(25))
    await read(secret)
    expect(await events()).toEqual([
      ...['calendar-feed.created', 'calendar-feed.used', 'calendar-feed.used'],
    ])
  })

  test('calendar: too many late ones do not displace what is due from today on', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const at = system().clock.now()
    const today = dayOf(at, 'America/Mexico_City')
    const obligation = anObligation(clerk.user, at, 'Aviso mensual')
    const dueIn = (days: number, count: number, from: number) =>
      Array.from({ length: count }, (_, index) =>
        aDeadline(obligation, { kind: 'month', period: monthAt(from + index) }, at, {
          dueOn: daysAfter(today, days),
        }),
      )
    const coming = [...dueIn(0, 1, 0), ...dueIn(60, 10, 1)]
    const late = [...dueIn(-29, 380, 20), ...dueIn(-1, 10, 400)]
    await system().db.transaction(async (trx) => {
      await upsertObligation(trx, obligation)
      await insertDeadlines(trx, [...coming, ...late])
    })
    const secret = await createCalendarFeed(system(), clerk.person)
    const { deadlines, hasMore } = await read(secret)
    expect(hasMore).toBe(true)
    const daysOf = Object.entries(Object.groupBy(deadlines, (one) => one.deadline.dueOn))
    expect(daysOf.map(([day, of]) => [day, of?.length])).toEqual([
      [today, 1],
      [daysAfter(today, 60), 10],
      [daysAfter(today, -1), 10],
      [daysAfter(today, -29), 379],
    ])
  })

  test('the secret is stored as a hash, and another address ends the first', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const first = await createCalendarFeed(system(), clerk.person)
    const rows = await system().db.selectFrom('calendar_feeds').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain(first)
    const second = await createCalendarFeed(system(), clerk.person)
    expect(await outcomeOf(read(first))).toBe('not-found')
    expect(await outcomeOf(read(second))).toBe('done')
  })

  test('ends when its user revokes it, is suspended, or loses all secrets', async () => {
    const { clerk, second } = await anOfficeWithStaff(system())
    const secret = await createCalendarFeed(system(), clerk.person)
    await revokeCalendarFeed(system(), clerk.person)
    await revokeCalendarFeed(system(), clerk.person)
    expect(await outcomeOf(read(secret))).toBe('not-found')
    expect(await events()).toEqual(['calendar-feed.created', 'calendar-feed.revoked'])

    const other = await createCalendarFeed(system(), second.person)
    const { id } = second.user
    const setState = (state: string) =>
      system().db.transaction((trx) =>
        trx.updateTable('users').set({ state }).where('id', '=', id).execute(),
      )
    await setState('suspended')
    expect(await outcomeOf(read(other))).toBe('not-found')
    await setState('active')
    expect(await outcomeOf(read(other))).toBe('done')
    await system().db.transaction((trx) => endAccessTokensOf(trx, id, system().clock.now()))
    expect(await findCalendarFeed(system().db, id)).toBeUndefined()
  })

  test('answers like an unknown one while its office is suspended', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const secret = await createCalendarFeed(system(), clerk.person)
    const become = (state: 'suspended' | 'active') =>
      changeOfficeState(system(), {
        ...{ number: undefined, entity: undefined, state },
        reason: 'Terminó el contrato 4/2026' as Reason,
      })
    await become('suspended')
    expect(await outcomeOf(read(secret))).toBe('not-found')
    await become('active')
    expect(await outcomeOf(read(secret))).toBe('done')
  })

  test('is made with a fresh proof of who asks only', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    system().wait(minutes(11))
    expect(await outcomeOf(createCalendarFeed(system(), clerk.person))).toBe('step-up-needed')
  })

  test('wrong addresses are limited by network, reads of one calendar by itself', async () => {
    const { clerk } = await anOfficeWithStaff(system())
    const secret = await createCalendarFeed(system(), clerk.person)
    for (let count = 0; count < 60; count += 1)
      expect(await outcomeOf(read(count % 2 ? 'x' : 'A'.repeat(43)))).toBe('not-found')
    expect(await outcomeOf(read('A'.repeat(43)))).toBe('too-many-attempts')
    for (let count = 0; count < 60; count += 1) await read(secret)
    expect(await outcomeOf(read(secret, '198.51.100.9'))).toBe('too-many-attempts')
    system().wait(minutes(16))
    expect(await outcomeOf(read(secret))).toBe('done')
  })
})
