import { performance } from 'node:perf_hooks'
import { expect, test } from '@playwright/test'
import { type Answered, clientOf, send } from '#tests/e2e/support/http.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'

const AT_ONCE = 200

let server: ServerProcess
let origin: string

test.beforeAll(async () => {
  test.setTimeout(180_000)
  const port = await freePort()
  origin = `http://localhost:${port}`
  // This test is a proxy, too: it says that every attempt comes from another network.
  server = await startServer('start', { PORT: String(port), TRUST_PROXY: '127.0.0.1,::1' })
})
test.afterAll(() => server?.stop())

test('two hundred concurrent sign-ins are answered or throttled while other pages stay fast', async () => {
  const client = clientOf(origin)
  const csrf = await client.token('/login')
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  const attempt = (index: number): Promise<Answered> =>
    send(`${origin}/login`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: origin,
        Cookie: cookie,
        'X-Forwarded-For': `198.51.100.${index}`,
      },
      body: new URLSearchParams({
        csrf,
        email: `persona${index}@notaria.example`,
        password: 'una contraseña cualquiera',
      }).toString(),
    })

  let isOver = false
  const flood = Promise.all(Array.from({ length: AT_ONCE }, (_, index) => attempt(index))).finally(
    () => {
      isOver = true
    },
  )
  const waits: number[] = []
  while (!isOver) {
    const start = performance.now()
    expect((await send(`${origin}/api/v1/auth/health`)).status).toBe(200)
    waits.push(performance.now() - start)
  }
  const answers = await flood
  const refused = answers.filter(({ status }) => status === 401)
  const sentAway = answers.filter(({ status }) => status === 429)
  expect(refused.length + sentAway.length).toBe(AT_ONCE)
  expect(refused.length).toBeGreaterThan(0)
  expect(sentAway.length).toBeGreaterThan(0)
  for (const { headers, text } of sentAway) {
    expect(headers['retry-after']).toBe('5')
    expect(text).toContain('Espere 5 segundos e intente de nuevo.')
  }
  // `npm run bench` measures the figure; this only proves that hashing blocked no other request.
  const slowest = waits.toSorted((a, b) => a - b).at(Math.floor(waits.length * 0.95)) ?? 0
  test
    .info()
    .annotations.push({ type: 'p95', description: `${slowest.toFixed(0)} ms of ${waits.length}` })
  expect(slowest).toBeLessThan(2_000)
  expect((await attempt(250)).status).toBe(401)
})
