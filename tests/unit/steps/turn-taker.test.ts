import { afterEach, expect, test, vi } from 'vitest'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

/** A turn taker under a clock that the test sets, and whether others ran while it was asked. */
function aTaker() {
  const clock = { now: 1_000 }
  vi.spyOn(performance, 'now').mockImplementation(() => clock.now)
  const turn = turnTaker()
  const letsOthersRun = async (after: number) => {
    clock.now += after
    let ran = false
    setImmediate(() => {
      ran = true
    })
    await turn()
    return ran
  }
  return letsOthersRun
}

test('long work: goes on while it is short', async () => {
  const letsOthersRun = aTaker()
  expect(await letsOthersRun(0)).toBe(false)
  expect(await letsOthersRun(1)).toBe(false)
})

test('long work: lets others run after a while, and then goes on for as long again', async () => {
  const letsOthersRun = aTaker()
  expect(await letsOthersRun(1_000)).toBe(true)
  expect(await letsOthersRun(1)).toBe(false)
  expect(await letsOthersRun(1_000)).toBe(true)
})
