import { expect, test } from 'vitest'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { listAlertRows } from '#tests/support/office/alert-rows.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('alert of the whole installation', (current) => {
  const raise = (occasionOf: Parameters<typeof alertOffices>[2]) => {
    const { db, clock } = current()
    const alert = { kind: 'disk-low', severity: 'warning', facts: {}, at: clock.now() } as const
    return db.transaction((trx) => alertOffices(trx, alert, occasionOf))
  }

  test('each office has one, and the caller learns whether any is new', async () => {
    const first = await storedOffice(current().db, { number: 1 })
    expect(await raise((id) => `disk:${id}`)).toBe(true)
    expect(await raise((id) => `disk:${id}`)).toBe(false)
    const second = await storedOffice(current().db, { number: 2 })
    expect(await raise((id) => `disk:${id}`)).toBe(true)
    expect(await raise((id) => `disk:${id}`)).toBe(false)
    const rows = await listAlertRows(current())
    const offices = rows.map(({ office_id, user_id }) => [office_id, user_id])
    expect(new Set(offices.map(([office]) => office))).toEqual(new Set([first.id, second.id]))
    expect(offices.every(([, user]) => user === null)).toBe(true)
  })
})
