import { get } from 'node:http'
import { expect, test } from '@playwright/test'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

type Answer = { status: number; text: string; requestId: string }

/** A request with any host name; 0 where no server answers. */
const ask = (port: number, path: string, host: string) =>
  new Promise<Answer>((resolve) => {
    const asked = get({ host: '127.0.0.1', port, path, headers: { host } }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const { statusCode: status = 0, headers } = response
        const text = Buffer.concat(chunks).toString()
        resolve({ status, text, requestId: String(headers['x-request-id']) })
      })
    })
    asked.once('error', () => resolve({ status: 0, text: '', requestId: '' }))
  })

test('operated server: tells its health and its metrics, and finishes what it serves before it ends', async () => {
  test.setTimeout(120_000)
  const [port, metricsPort] = [await freePort(), await freePort()]
  const server = await startServer('start', {
    ...{ PORT: String(port), METRICS_PORT: String(metricsPort), DRAIN_SECONDS: '3' },
  })
  try {
    const ours = `localhost:${port}`
    // A proxy asks by the address of the machine.
    for (const path of ['/healthz', '/readyz'])
      expect([path, await ask(port, path, '10.0.0.7')]).toMatchObject([path, { status: 200 }])
    expect((await ask(port, '/login', '10.0.0.7')).status).toBe(421)
    const { status, requestId } = await ask(port, '/verify/nada', ours)
    expect(status).toBe(404)
    expect((await ask(port, '/metrics', ours)).status).toBe(404)
    const line = () =>
      server
        .logged()
        .split('\n')
        .find((one) => one.includes(requestId))
    await expect.poll(line).toContain('"path":"/verify/nada"')

    const { text } = await ask(metricsPort, '/metrics', 'localhost')
    expect(text).toMatch(
      /rubrica_http_request_seconds_count\{method="GET",route="\/verify\/:[a-z]+",status="404"\} 1\n/,
    )
    expect(text).toMatch(/rubrica_query_seconds_count\{query="select offices"\} [1-9]/)
    expect(text).toMatch(/\nrubrica_log_unsigned_events \d/)
    expect(text).not.toContain('nada')
    expect((await ask(metricsPort, '/login', 'localhost')).status).toBe(404)

    process.kill(server.pid, 'SIGTERM')
    const ready = async () => (await ask(port, '/readyz', ours)).status
    await expect.poll(ready).toBe(503)
    expect((await ask(port, '/healthz', ours)).status).toBe(200)
    expect((await ask(port, '/verify/document', ours)).status).toBe(200)
    await expect.poll(() => server.hasEnded(), { timeout: 20_000 }).toBe(true)
  } finally {
    await server.stop()
  }
})
