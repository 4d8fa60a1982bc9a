import { expect, test } from 'vitest'
import { findCalendarFeed } from '#server/db/obligations/calendar-feeds.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
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
import { anOfficeWithStaff, outcomeOf } from '#tests/support/office/office-staff.ts'
import { aSignedDocument } from '#tests/support/office/signed-documents.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

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
    const [first] = await read(secret)
    expect(first?.document).toMatchObject({ folio })
    await read(secret)
    const used = await readCalendarFeed(system(), clerk.person)
    expect(used?.lastUsedAt).toBe(system().clock.now())
    system().wait(hours(25))
    await read(secret)
    expect(await events()).toEqual([
      ...['calendar-feed.created', 'calendar-feed.used', 'calendar-feed.used'],
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
