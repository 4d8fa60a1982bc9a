import { expect, test, vi } from 'vitest'
import { Problem } from '#server/domain/problem.ts'
import { retryWhileTaken } from '#server/steps/signing/retry-while-taken.ts'

const TAKEN = new Problem('stale-version', 'another signer was first')
const RETRIES = { taken: ['stale-version'], attempts: 3 } as const

test.each([
  ['another signer holds the document', [TAKEN], 2],
  ['that happens at every attempt but the last', [TAKEN, TAKEN], 3],
])('signing: succeeds later if %s', async (_, errors, count) => {
  const attempt = attemptAfter(errors)
  expect(await retryWhileTaken(attempt, RETRIES)).toBe('signed')
  expect(attempt).toHaveBeenCalledTimes(count)
})

test('signing: waits half a second before the next attempt', async () => {
  const start = performance.now()
  await retryWhileTaken(attemptAfter([TAKEN]), RETRIES)
  // Timers of Node may fire one millisecond early.
  expect(performance.now() - start).toBeGreaterThanOrEqual(499)
})

test('signing: fails with the problem of the last attempt', async () => {
  const attempt = attemptAfter([TAKEN, TAKEN, TAKEN])
  await expect(retryWhileTaken(attempt, RETRIES)).rejects.toBe(TAKEN)
  expect(attempt).toHaveBeenCalledTimes(3)
})

test.each([
  ['another problem', new Problem('not-found', 'no document')],
  ['an error that is no problem', Object.assign(new Error('bug'), { code: 'stale-version' })],
])('signing: fails at once with %s', async (_, error) => {
  const attempt = attemptAfter([error])
  await expect(retryWhileTaken(attempt, RETRIES)).rejects.toBe(error)
  expect(attempt).toHaveBeenCalledTimes(1)
})

function attemptAfter(errors: readonly Error[]) {
  const attempt = vi.fn<() => Promise<string>>()
  for (const error of errors) attempt.mockRejectedValueOnce(error)
  return attempt.mockResolvedValue('signed')
}
