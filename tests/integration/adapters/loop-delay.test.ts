import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { measureLoopDelay } from '#server/adapters/loop-delay.ts'
import { type Duration, milliseconds } from '#server/domain/time.ts'

test('delay of the event loop: the longest of each period is reported and kept', async () => {
  const reported: Duration[] = []
  const measured = measureLoopDelay({
    report: (longest) => reported.push(longest),
    period: milliseconds(400),
  })
  onTestFinished(() => measured.close())
  await pause(30)
  const end = performance.now() + 250
  while (performance.now() < end);
  await expect.poll(() => reported.length).toBeGreaterThan(1)
  expect(Math.max(...reported)).toBeGreaterThan(200)
  expect(measured.minutes().slice(0, 2)).toEqual(reported.slice(0, 2))
})

test('delay of the event loop: no more than ten periods are kept', async () => {
  let count = 0
  const measured = measureLoopDelay({ report: () => count++, period: milliseconds(5) })
  onTestFinished(() => measured.close())
  await expect.poll(() => count).toBeGreaterThan(15)
  expect(measured.minutes()).toHaveLength(10)
})
