import { expect, test } from 'vitest'
import { listCheckpoints } from '#server/db/audit/audit-checkpoints.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { signNext } from '#server/steps/audit/sign-next.ts'
import { addEvents, FIRST } from '#tests/support/office/log-events.ts'
import { onEachSystem } from '#tests/support/test-system.ts'

onEachSystem('next events of a log', (current) => {
  const sign = (pause = minutes(1)) =>
    current().db.transaction((trx) => signNext(trx, current(), FIRST, pause))
  const sizes = async () =>
    (await listCheckpoints(current().db, FIRST_LOG, { behind: 0, limit: 100 })).map(
      ({ size }) => size,
    )

  test('are signed when the pause is over, and not before, at the instant of the last checkpoint either', async () => {
    for (const [wait, count] of [
      [seconds(0), 1],
      [seconds(0), 1],
      [seconds(59), 1],
      [seconds(1), 2],
    ] as const) {
      current().wait(wait)
      await addEvents(current().db, 1)
      expect(await sign()).toBe(false)
      expect(await sizes()).toHaveLength(count)
    }
  })

  test('are signed at once after the clock was set back', async () => {
    await addEvents(current().db, 1)
    await sign()
    current().wait(seconds(-1))
    await addEvents(current().db, 1)
    await sign()
    expect(await sizes()).toEqual([1, 2])
  })

  test('many are signed in parts, with a checkpoint each', async () => {
    await addEvents(current().db, 600)
    expect(await sign()).toBe(true)
    expect(await sign(seconds(0))).toBe(false)
    expect(await sizes()).toEqual([512, 600])
  })
})
