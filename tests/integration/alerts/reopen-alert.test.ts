import { expect, test } from 'vitest'
import { insertAlert } from '#server/db/alerts/alerts.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { AlertId } from '#server/domain/ids.ts'
import { milliseconds, seconds } from '#server/domain/time.ts'
import { UNDO_ACCEPTED } from '#server/domain/undo.ts'
import { readAlert } from '#server/features/alerts/read-alert.ts'
import { type ReopenAlert, reopenAlert } from '#server/features/alerts/reopen-alert.ts'
import { resolveAlert } from '#server/features/alerts/resolve-alert.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { anOfficeWithStaff, outcomeOf, watchLog } from '#tests/support/office/office-staff.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('undo of a resolved alert', (current) => {
  /** An alert of the office, which both administrators may resolve. */
  async function anAlert() {
    const system = current()
    const staff = await anOfficeWithStaff(system)
    const { officeId } = staff.admin.person
    await system.db.transaction((trx) =>
      insertAlert(trx, {
        ...{ officeId, userId: null, kind: 'mail-failed', severity: 'warning' },
        ...{ occasion: 'test', at: system.clock.now() },
      }),
    )
    system.wait(seconds(60))
    const row = async () => (await listAlertRows(system))[0]
    const alertId = AlertId.parse((await row())?.id)
    const resolved = async (by: Person): Promise<ReopenAlert> => {
      const undo = await resolveAlert(system, by, { alertId })
      if (!undo) throw new Error('it was resolved before')
      return undo
    }
    return { ...staff, system, alertId, row, resolved }
  }

  test('alert: has the state, time and author from before, with one event, however often it is sent', async () => {
    const { system, admin, second, alertId, row, resolved } = await anAlert()
    const open = await row()
    const first = await resolved(admin.person)
    const recorded = await watchLog(system)
    expect(await reopenAlert(system, admin.person, first)).toBe('undone')
    expect(await row()).toEqual(open)
    expect(await reopenAlert(system, admin.person, first)).toBe('undone')
    expect(await recorded()).toEqual(['alert.reopened success'])

    await readAlert(system, second.person, { alertId })
    const read = await row()
    const undo = await resolved(admin.person)
    const both = [undo, undo].map((one) => reopenAlert(system, admin.person, one))
    expect(await Promise.all(both)).toEqual(['undone', 'undone'])
    expect(await row()).toEqual(read)
    expect((await recorded()).filter((event) => event === 'alert.reopened success')).toHaveLength(2)
  })

  test('alert: stays resolved when the time is over', async () => {
    const { system, admin, row, resolved } = await anAlert()
    const undo = await resolved(admin.person)
    const seen = await row()
    system.wait(UNDO_ACCEPTED)
    expect(await reopenAlert(system, admin.person, undo)).toBe('too-late')
    expect(await row()).toEqual(seen)
  })

  test('alert: is undone until the last moment', async () => {
    const { system, admin, resolved } = await anAlert()
    const undo = await resolved(admin.person)
    system.wait(milliseconds(UNDO_ACCEPTED - 1))
    expect(await reopenAlert(system, admin.person, undo)).toBe('undone')
  })

  test('alert: one that another administrator resolved since stays resolved', async () => {
    const { system, admin, second, row, resolved } = await anAlert()
    const undo = await resolved(admin.person)
    await reopenAlert(system, admin.person, undo)
    system.wait(seconds(1))
    await resolved(second.person)
    const seen = await row()
    const recorded = await watchLog(system)
    expect(await reopenAlert(system, admin.person, undo)).toBe('changed')
    expect(await row()).toEqual(seen)
    expect(await recorded()).toEqual([])
  })

  test('alert: an offer from before does not undo that the same user resolved it again', async () => {
    const { system, admin, row, resolved } = await anAlert()
    const undo = await resolved(admin.person)
    await reopenAlert(system, admin.person, undo)
    system.wait(seconds(1))
    await resolved(admin.person)
    const seen = await row()
    expect(await reopenAlert(system, admin.person, undo)).toBe('changed')
    expect(await row()).toEqual(seen)
  })

  test('alert: only the user who resolved it undoes it', async () => {
    const { system, admin, second, clerk, row, resolved } = await anAlert()
    const undo = await resolved(admin.person)
    const seen = await row()
    expect(await reopenAlert(system, second.person, undo)).toBe('changed')
    expect(await outcomeOf(reopenAlert(system, clerk.person, undo))).toBe('not-found')
    expect(await row()).toEqual(seen)
  })

  test('alert: one that was resolved before has nothing to undo', async () => {
    const { system, admin, second, alertId, resolved } = await anAlert()
    await resolved(admin.person)
    expect(await resolveAlert(system, second.person, { alertId })).toBeNull()
  })
})
