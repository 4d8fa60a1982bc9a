import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { expect, test } from '@playwright/test'
import { send } from '#tests/e2e/support/http.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/* The fields that are asked about, of the protocol's JSON. */
type Value = { stringValue?: string; intValue?: number | string }
type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  attributes: { key: string; value: Value }[]
}
type Traces = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

/** An id that no document has. */
const UNKNOWN = '00000000-0000-4000-8000-000000000000'

/** Takes what an exporter of OpenTelemetry sends. @see https://opentelemetry.io/docs/specs/otlp/#otlphttp-request */
async function startCollector() {
  const spans: Span[] = []
  const server = createServer(async (request, response) => {
    const { resourceSpans } = (await json(request)) as Traces
    for (const { scopeSpans } of resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans)
    response.writeHead(200, { 'Content-Type': 'application/json' }).end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { address: `http://127.0.0.1:${port}`, spans, close: () => server.close() }
}

const attributesOf = ({ attributes }: Span) =>
  Object.fromEntries(
    attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]),
  )

test('traced server: each request is a span with its queries inside, sent at the latest at the end', async () => {
  test.setTimeout(120_000)
  const collector = await startCollector()
  const port = await freePort()
  const server = await startServer('start', {
    ...{ PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: collector.address },
    TRUST_PROXY: '127.0.0.1,::1',
  })
  try {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
    const { status } = await send(`http://localhost:${port}/verify/${UNKNOWN}`, {
      headers: { traceparent: `00-${trace}-00f067aa0ba902b7-01` },
    })
    expect(status).toBe(404)
    process.kill(server.pid, 'SIGTERM')
    await expect.poll(() => server.hasEnded(), { timeout: 20_000 }).toBe(true)
    const request = collector.spans.find(({ name }) => name.startsWith('GET /verify/:'))
    expect(request).toMatchObject({ traceId: trace, parentSpanId: '00f067aa0ba902b7' })
    expect(attributesOf(request!)).toMatchObject({
      ...{ 'http.request.method': 'GET', 'http.response.status_code': 404 },
      'http.route': expect.stringMatching(/^\/verify\/:/),
      'rubrica.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    const inside = collector.spans.filter(({ parentSpanId }) => parentSpanId === request!.spanId)
    expect(inside.map(({ name }) => name)).toContainEqual(expect.stringMatching(/^select /))
    expect(collector.spans.some(({ name }) => name.startsWith('job '))).toBe(true)
    expect(JSON.stringify(collector.spans)).not.toContain(UNKNOWN)
  } finally {
    await server.stop()
    collector.close()
  }
})

test('traced server: a collector that does not answer keeps neither requests nor the end waiting', async () => {
  test.setTimeout(120_000)
  const port = await freePort()
  const server = await startServer('start', {
    ...{ PORT: String(port), OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' },
  })
  try {
    const began = performance.now()
    expect((await send(`http://localhost:${port}/login`)).status).toBe(200)
    process.kill(server.pid, 'SIGTERM')
    await expect.poll(() => server.hasEnded(), { timeout: 20_000 }).toBe(true)
    expect(performance.now() - began).toBeLessThan(15_000)
  } finally {
    await server.stop()
  }
})
