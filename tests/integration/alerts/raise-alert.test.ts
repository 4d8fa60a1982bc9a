import { expect, test } from 'vitest'
import type { AlertKind } from '#server/domain/alerts/alert.ts'
import { after, hours, minutes } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { storedOffice, storedUser } from '#tests/support/builders.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('alert that is raised', (current) => {
  /** What is known, and how many mails there are, after each alert of one user at these times. */
  async function raised(kind: AlertKind, times: readonly { after: number; occasion: string }[]) {
    const { db, clock } = current()
    const office = await storedOffice(db)
    const { id: userId } = await storedUser(db, office, ['CLERK'])
    const found: unknown[] = []
    for (const { after: wait, occasion } of times) {
      const at = after(clock.now(), minutes(wait))
      const isNew = await db.transaction((trx) =>
        raiseAlert(trx, {
          ...{ officeId: office.id, userId, kind, severity: 'warning', facts: {}, occasion, at },
          ...{ subjectKind: 'user', subjectId: userId },
        }),
      )
      const mails = await db.selectFrom('outbox').select('id').execute()
      const alerts = await db.selectFrom('alerts').select('occurrences').execute()
      found.push([isNew, mails.length, alerts.map(({ occurrences }) => Number(occurrences))])
    }
    return found
  }

  test('is one for its occasion, and is mailed once', async () => {
    const times = [
      { after: 0, occasion: 'a' },
      { after: 90, occasion: 'a' },
      { after: 91, occasion: 'b' },
    ]
    expect(await raised('password-changed', times)).toEqual([
      [true, 1, [1]],
      [false, 1, [1]],
      [true, 2, [1, 1]],
    ])
  })

  test('that repeats is counted, and mailed at most once an hour', async () => {
    const hour = hours(1) / minutes(1)
    const times = [0, 1, hour - 1, hour, hour + 1].map((at) => ({ after: at, occasion: 'a' }))
    expect(await raised('repeated-failures', times)).toEqual([
      [true, 1, [1]],
      [false, 1, [2]],
      [false, 1, [3]],
      [false, 2, [4]],
      [false, 2, [5]],
    ])
  })
})
