import type { Request, Response } from 'express'
import { expect, test } from 'vitest'
import { createReadiness, health } from '#server/web/health.ts'

test('readiness: the database is asked once a second, however many ask', async () => {
  let asked = 0
  const { isReady } = createReadiness(async () => {
    asked += 1
  })
  expect(await Promise.all([isReady(), isReady(), isReady()])).toEqual([true, true, true])
  expect(await isReady()).toBe(true)
  expect(asked).toBe(1)
})

test('readiness: a database that fails or does not answer within a second is not ready', async () => {
  expect(await createReadiness(() => Promise.reject(new Error('gone'))).isReady()).toBe(false)
  const began = performance.now()
  expect(await createReadiness(() => new Promise(() => {})).isReady()).toBe(false)
  expect(performance.now() - began).toBeGreaterThan(900)
})

test('readiness: a process that ends is not ready, also for those who asked before', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const readiness = createReadiness(() => promise)
  const before = readiness.isReady()
  readiness.stop()
  resolve()
  expect(await before).toBe(false)
  expect(await readiness.isReady()).toBe(false)
})

/** Status, text and when to ask again; undefined if it is passed on. */
async function answerTo(path: string, isGood: boolean, method = 'GET') {
  const answer: { status?: number; text?: string; retry?: string } = {}
  const response = {
    status: (code: number) => Object.assign(response, void Object.assign(answer, { status: code })),
    setHeader: (name: string, value: string) =>
      name === 'Retry-After' && Object.assign(answer, { retry: value }),
    type: () => response,
    send: (text: string) => Object.assign(answer, { text }),
  }
  const handle = health({ isReady: async () => isGood })
  await handle({ path, method } as Request, response as unknown as Response, () => {})
  return answer.status === undefined ? undefined : answer
}

test.each([
  ['/healthz', false, 'GET', { status: 200, text: 'ok\n' }],
  ['/readyz', true, 'GET', { status: 200, text: 'ok\n' }],
  ['/readyz', true, 'HEAD', { status: 200, text: 'ok\n' }],
  ['/readyz', false, 'GET', { status: 503, text: 'not ready\n', retry: '5' }],
  ['/readyz', true, 'POST', undefined],
  ['/readyz/', true, 'GET', undefined],
  ['/', true, 'GET', undefined],
])('%s, ready: %s, asked by %s', async (path, isGood, method, answer) => {
  expect(await answerTo(path, isGood, method)).toEqual(answer)
})
