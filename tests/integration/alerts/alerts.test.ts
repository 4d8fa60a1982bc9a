import { expect, test } from 'vitest'
import {
  countResolvedAlerts,
  markAlertsRead,
  type NewAlert,
  resolveAlertsAbout,
} from '#server/db/alerts/alerts.ts'
import type { AlertKind } from '#server/domain/alerts/alert.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { AlertId } from '#server/domain/ids.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { countUnreadAlerts } from '#server/features/alerts/count-unread-alerts.ts'
import { ListAlerts, listAlerts } from '#server/features/alerts/list-alerts.ts'
import { readAlert } from '#server/features/alerts/read-alert.ts'
import { readAllAlerts } from '#server/features/alerts/read-all-alerts.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import {
  aMember,
  anOfficeWithStaff,
  outcomeOf,
  watchLog,
} from '#tests/support/office/office-staff.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

let raised = 0

async function raise(
  system: TestSystem,
  to: Person | { office: Person },
  kind: AlertKind = 'new-device',
  changes: Partial<NewAlert> = {},
) {
  const { officeId, userId } = 'office' in to ? { ...to.office, userId: null } : to
  await system.db.transaction((trx) =>
    raiseAlert(trx, {
      officeId,
      userId,
      kind,
      severity: 'warning',
      occasion: `test:${raised++}`,
      at: system.clock.now(),
      ...changes,
    }),
  )
}

const all = (system: TestSystem, person: Person, input: object = {}) =>
  listAlerts(system, person, ListAlerts.parse(input))

onEachSystem('alerts', (current) => {
  test('alerts: users see their own, administrators also those of the office', async () => {
    const system = current()
    const { admin, second, clerk } = await anOfficeWithStaff(system)
    await raise(system, clerk.person)
    const about = { subjectKind: 'user', subjectId: clerk.user.id } as const
    await raise(system, { office: admin.person }, 'secret-unreadable', about)
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }), ['ADMIN'])
    const seenBy = async ({ person }: { person: Person }) => ({
      kinds: (await all(system, person)).alerts.map(({ kind, about }) => [kind, about]),
      unread: await countUnreadAlerts(system, person),
    })
    expect(await seenBy(clerk)).toEqual({ kinds: [['new-device', null]], unread: 1 })
    const ofOffice = { kinds: [['secret-unreadable', 'Iván Cruz']], unread: 1 }
    expect(await seenBy(admin)).toEqual(ofOffice)
    expect(await seenBy(second)).toEqual(ofOffice)
    expect(await seenBy(foreign)).toEqual({ kinds: [], unread: 0 })
  })

  test('read, then resolved; each is told once', async () => {
    const system = current()
    const { admin, second } = await anOfficeWithStaff(system)
    await raise(system, { office: admin.person })
    const [alert] = (await all(system, admin.person)).alerts
    const alertId = AlertId.parse(alert?.id)
    const recorded = await watchLog(system)
    await Promise.all([1, 2].map(() => readAlert(system, admin.person, { alertId })))
    expect(await recorded()).toEqual(['alert.read success'])
    expect(await countUnreadAlerts(system, second.person)).toBe(0)
    expect((await all(system, second.person)).counts).toEqual({ waiting: 1, resolved: 0 })
    await Promise.all([1, 2].map(() => resolveAlert(system, second.person, { alertId })))
    await readAlert(system, admin.person, { alertId })
    expect(await recorded()).toEqual(['alert.read success', 'alert.resolved success'])
    expect((await all(system, admin.person)).alerts).toEqual([])
    expect((await all(system, admin.person, { show: 'resolved' })).alerts).toMatchObject([
      { id: alertId, state: 'resolved', stateBy: second.user.id },
    ])
  })

  test('all alerts: read with one event, except later ones, later occurrences and those of others', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const { person } = admin
    for (let count = 0; count < 3; count += 1) await raise(system, person)
    await raise(system, { office: person }, 'secret-unreadable')
    await raise(system, person, 'new-device', { occasion: 'again' })
    await raise(system, clerk.person)
    const [resolved] = (await all(system, person)).alerts
    await resolveAlert(system, person, { alertId: AlertId.parse(resolved?.id) })
    const until = system.clock.now()
    system.wait(seconds(1))
    await raise(system, person, 'new-device', { occasion: 'again' })
    await raise(system, person)
    const waiting = await countUnreadAlerts(system, person)
    const recorded = await watchLog(system)
    const read = waiting - 2
    expect(await readAllAlerts(system, person, { until })).toEqual({ count: read, hasMore: false })
    expect(await countUnreadAlerts(system, person)).toBe(2)
    expect(await countUnreadAlerts(system, clerk.person)).toBe(1)
    expect(await recorded()).toEqual(['alert.all-read success'])
    expect((await system.log()).at(-1)).toMatchObject({ details: { count: read } })
    expect(await readAllAlerts(system, person, { until })).toEqual({ count: 0, hasMore: false })
    expect(await recorded()).toEqual(['alert.all-read success'])
    const { alerts } = await all(system, person, { show: 'resolved' })
    expect(alerts.map(({ state }) => state)).toEqual(alerts.map(() => 'resolved'))
  })

  test('all alerts: a statement is bounded, and the next one reads the rest', async () => {
    const system = current()
    const { clerk } = await anOfficeWithStaff(system)
    for (let count = 0; count < 6; count += 1) await raise(system, clerk.person)
    const { userId, officeId } = clerk.person
    const at = system.clock.now()
    const reach = { officeId, userId, office: 'left-out' } as const
    const some = () =>
      system.db.transaction((trx) =>
        markAlertsRead(trx, reach, { until: at, limit: 3, at, by: userId }),
      )
    expect([await some(), await some(), await some()]).toEqual([
      { count: 3, hasMore: true },
      { count: 3, hasMore: false },
      { count: 0, hasMore: false },
    ])
  })

  test('alert: only its recipient changes it, and never another office', async () => {
    const system = current()
    const { admin, clerk } = await anOfficeWithStaff(system)
    const foreign = await aMember(system, await storedOffice(system.db, { number: 99 }), ['ADMIN'])
    await raise(system, clerk.person)
    await raise(system, { office: admin.person })
    const ids = (await system.db.selectFrom('alerts').select('id').execute()).map(({ id }) => id)
    for (const id of ids)
      expect(await outcomeOf(readAlert(system, foreign.person, { alertId: id as AlertId }))).toBe(
        'not-found',
      )
    const ofClerk = (await all(system, clerk.person)).alerts[0]?.id as AlertId
    const ofOffice = (await all(system, admin.person)).alerts[0]?.id as AlertId
    expect(await outcomeOf(resolveAlert(system, admin.person, { alertId: ofClerk }))).toBe(
      'not-found',
    )
    expect(await outcomeOf(resolveAlert(system, clerk.person, { alertId: ofOffice }))).toBe(
      'not-found',
    )
  })

  test('alert: an occasion raises one', async () => {
    const system = current()
    const { clerk } = await anOfficeWithStaff(system)
    for (let i = 0; i < 3; i++) await raise(system, clerk.person, 'new-device', { occasion: 'x' })
    expect((await all(system, clerk.person)).alerts).toHaveLength(1)
  })

  test('alert: a repeating kind counts, shows the last occurrence and is open again', async () => {
    const system = current()
    const { clerk } = await anOfficeWithStaff(system)
    const started = system.clock.now()
    const from = (ip: string) =>
      raise(system, clerk.person, 'new-device', { occasion: 'x', facts: { ip } })
    await from('192.0.2.1')
    const [alert] = (await all(system, clerk.person)).alerts
    const alertId = AlertId.parse(alert?.id)
    await resolveAlert(system, clerk.person, { alertId })
    expect((await all(system, clerk.person)).alerts).toEqual([])
    system.wait(minutes(5))
    await from('192.0.2.2')
    await from('192.0.2.3')
    expect((await all(system, clerk.person)).alerts).toMatchObject([
      {
        id: alertId,
        state: 'open',
        stateBy: null,
        occurrences: 3,
        firstAt: started,
        at: system.clock.now(),
        facts: { ip: '192.0.2.3' },
      },
    ])
  })

  test('alert: another kind is stored once and stays as it was', async () => {
    const system = current()
    const { clerk } = await anOfficeWithStaff(system)
    const change = () =>
      raise(system, clerk.person, 'password-changed', { occasion: 'x', facts: {} })
    await change()
    const [alert] = (await all(system, clerk.person)).alerts
    system.wait(minutes(5))
    await change()
    expect((await all(system, clerk.person)).alerts).toEqual([alert])
    expect(alert).toMatchObject({ occurrences: 1 })
  })

  test('page by page, the newest first', async () => {
    const system = current()
    const { clerk } = await anOfficeWithStaff(system)
    for (let i = 0; i < 7; i++) {
      // Some at the same instant: the id decides.
      if (i % 3 === 0) system.wait(seconds(1))
      await raise(system, clerk.person)
    }
    const first = await all(system, clerk.person, { limit: 3 })
    const second = await all(system, clerk.person, { limit: 3, behind: first.next })
    const third = await all(system, clerk.person, { limit: 3, behind: second.next })
    const seen = [first, second, third].flatMap(({ alerts }) => alerts)
    expect(new Set(seen.map(({ id }) => id)).size).toBe(7)
    expect(seen.map(({ at }) => at)).toEqual(seen.map(({ at }) => at).toSorted((a, b) => b - a))
    expect(third.next).toBeUndefined()
  })

  test('alerts: those of a user and of the office, open and read, are one list', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    for (let count = 0; count < 4; count += 1)
      for (const to of [admin.person, { office: admin.person }]) {
        system.wait(seconds(1))
        await raise(system, to)
      }
    const { alerts } = await all(system, admin.person)
    await readAlert(system, admin.person, { alertId: AlertId.parse(alerts[3]?.id) })
    await readAlert(system, admin.person, { alertId: AlertId.parse(alerts[4]?.id) })
    const seen = []
    let behind: string | undefined
    do {
      const page = await all(system, admin.person, { limit: 3, behind })
      seen.push(...page.alerts)
      behind = page.next
    } while (behind !== undefined)
    expect(seen.map(({ id }) => id)).toEqual(alerts.map(({ id }) => id))
    expect(seen.map(({ state }) => state === 'read')).toEqual(
      alerts.map((_, index) => index === 3 || index === 4),
    )
  })

  test('alerts: counted up to 100', async () => {
    const system = current()
    const { admin } = await anOfficeWithStaff(system)
    for (let count = 0; count < 60; count += 1) {
      await raise(system, admin.person)
      await raise(system, { office: admin.person })
    }
    expect(await countUnreadAlerts(system, admin.person)).toBe(100)
    expect((await all(system, admin.person)).counts).toEqual({ waiting: 100, resolved: 0 })
  })

  test('alerts of a matter: counted and resolved by their prefix alone', async () => {
    const { db } = current()
    const { admin, clerk } = await anOfficeWithStaff(current())
    const occasions = [
      'outage:1:0',
      'outage:1:1',
      'outage:10:0',
      'outage:',
      'Outage:1:2',
      'outage_1:3',
    ]
    for (const occasion of occasions)
      await raise(current(), clerk.person, 'provider-down', { occasion })
    const at = current().clock.now()
    await db.transaction((trx) => resolveAlertsAbout(trx, 'outage:1:', { at, by: admin.user.id }))
    const resolved = (await listAlertRows(current()))
      .filter(({ state }) => state === 'resolved')
      .map(({ occasion }) => occasion)
    expect(resolved.toSorted()).toEqual(['outage:1:0', 'outage:1:1'])
    expect(await countResolvedAlerts(db, 'outage:1:')).toBe(2)
    expect(await countResolvedAlerts(db, 'outage:10:')).toBe(0)
  })
})
