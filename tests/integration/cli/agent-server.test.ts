import { randomUUID } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { agentServerAt } from '#server/cli/agent-server.ts'

let server: Server | undefined
afterEach(() => void server?.close())

/** A server with these answers in order, and the requests that it got. */
async function answering(...answers: ((...asked: Parameters<RequestListener>) => void)[]) {
  const asked: (string | undefined)[] = []
  server = createServer((request, response) => {
    asked.push(request.url)
    request.resume()
    answers.shift()?.(request, response)
  })
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { asked, agent: agentServerAt(`http://127.0.0.1:${port}`, 'rubrica_x') }
}

type Answer = Parameters<typeof answering>[number]

/** A proxy reports that the server is unavailable. */
const away =
  (status: number): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'text/html' })
      .end('<html><h1>Bad Gateway</h1></html>')

const says =
  (status: number, body: unknown): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(JSON.stringify(body))

/** The line breaks after the first bytes of the answer. */
const broken: Answer = (_, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': 100 })
  response.write('{"documentId"', () => response.socket?.destroy())
}

const signed = says(200, { documentId: randomUUID(), version: 2 })
const complete = (agent: Awaited<ReturnType<typeof answering>>['agent']) =>
  agent.complete('prepared-1', Uint8Array.of(1))

for (const [name, lost] of [
  ['a proxy that does not reach the server', away(502)],
  ['a proxy that waits no longer', away(504)],
  ['a line that breaks in the middle', broken],
] as const) {
  test(`a completion is asked for again after ${name}`, async () => {
    const { agent, asked } = await answering(lost, signed)
    await complete(agent)
    expect(asked).toHaveLength(2)
  })

  test(`the server is not there for now: ${name}`, async () => {
    const { agent } = await answering(lost)
    await expect(agent.turns()).rejects.toMatchObject({
      code: null,
      message: expect.stringMatching(/No se pudo hablar con el servidor/),
    })
  })
}

for (const [name, lost] of [
  ['three answers that are lost', [away(502), broken, away(504)]],
  ['a page of another server instead of the answer', [away(200)]],
  ['an answer of something else', [says(200, {})]],
  ['a fault of the server', [says(500, { code: 'server-error', detail: 'Ocurrió un error.' })]],
] as const)
  test(`agent: after ${name} the result is reported as unknown`, async () => {
    const { agent, asked } = await answering(...lost, signed)
    await expect(complete(agent)).rejects.toMatchObject({
      code: 'completion-lost',
      message: expect.stringMatching(/^No se sabe si se firmó/),
    })
    expect(asked).toHaveLength(lost.length)
  })

test('agent: a refusal of the server is not retried', async () => {
  const problem = { code: 'timestamp-unavailable', detail: 'Ninguna autoridad dio el sello.' }
  const { agent, asked } = await answering(says(503, problem), signed)
  await expect(complete(agent)).rejects.toMatchObject({ code: 'timestamp-unavailable' })
  expect(asked).toHaveLength(1)
})

test('agent: reads the next page, and takes an answer of an earlier release, without pages', async () => {
  const page = { name: 'Ana Muñoz', rfc: 'MULA800101AB1', documents: [] }
  const { agent, asked } = await answering(says(200, { ...page, next: '1.a.2' }), says(200, page))
  expect((await agent.turns()).next).toBe('1.a.2')
  expect((await agent.turns('1.a.2')).next).toBeUndefined()
  expect(asked).toEqual(['/api/v1/signing/turns', '/api/v1/signing/turns?behind=1.a.2'])
})

test('an answer of something else is said to be strange', async () => {
  const { agent } = await answering(away(200))
  await expect(agent.turns()).rejects.toMatchObject({ code: 'strange-answer' })
})
