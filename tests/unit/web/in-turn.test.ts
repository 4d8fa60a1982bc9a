import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { inTurn, MOST_WAITING_REQUESTS } from '#server/web/in-turn.ts'

let server: Server | undefined
let client: Socket | undefined
afterEach(() => {
  client?.destroy()
  server?.close()
})

/** Sends the requests without waiting for answers. The test answers those that are handled. */
async function pipelined(paths: readonly string[]) {
  const handled: ServerResponse[] = []
  const handle = inTurn((_request, response) => void handled.push(response))
  server = createServer(handle).listen(0, '127.0.0.1')
  await once(server, 'listening')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answers = ''
  client.on('data', (chunk) => {
    answers += chunk.toString('latin1')
  })
  client.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''))
  await expect.poll(() => handled.length).toBe(1)
  // Long enough for the others.
  await wait(50)
  return { handled, answers: () => [...answers.matchAll(/answer \d/g)].map(([found]) => found) }
}

test('pipelined requests: each is handled when the one before it was answered', async () => {
  const { handled, answers } = await pipelined(['/1', '/2', '/3'])
  for (const turn of [1, 2, 3]) {
    await expect.poll(() => handled.length).toBe(turn)
    handled[turn - 1]?.end(`answer ${turn}`)
  }
  await expect.poll(answers).toEqual(['answer 1', 'answer 2', 'answer 3'])
})

test('pipelined requests: those that wait are never handled if the client leaves', async () => {
  const { handled } = await pipelined(['/1', '/2', '/3'])
  client?.destroy()
  await once(handled[0] as ServerResponse, 'close')
  await wait(50)
  expect(handled).toHaveLength(1)
})

test('pipelined requests: the connection is closed if too many wait', async () => {
  const most = await pipelined(Array.from({ length: 1 + MOST_WAITING_REQUESTS }, () => '/'))
  expect(client?.destroyed).toBe(false)
  client?.destroy()
  server?.close()

  const more = await pipelined(Array.from({ length: 2 + MOST_WAITING_REQUESTS }, () => '/'))
  await expect.poll(() => client?.destroyed).toBe(true)
  expect([most, more].map(({ handled }) => handled.length)).toEqual([1, 1])
})

test('pipelined requests: a client that stays within the limit may send any number', async () => {
  const { handled, answers } = await pipelined(['/'])
  for (let turn = 1; turn <= 3 * MOST_WAITING_REQUESTS; turn += 1) {
    client?.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(turn % 3))
    await expect.poll(() => handled.length, { interval: 2 }).toBeGreaterThanOrEqual(turn)
    handled[turn - 1]?.end('answer 1')
  }
  await expect.poll(() => answers().length).toBe(3 * MOST_WAITING_REQUESTS)
})
