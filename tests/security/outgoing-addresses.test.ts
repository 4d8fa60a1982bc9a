import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { fetchAnswer } from '#server/adapters/http-answer.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'

/** What the name server says, one answer after the other. */
const answers = vi.hoisted((): string[][] => [])

vi.mock('node:dns', async (original) => ({
  ...(await original<typeof import('node:dns')>()),
  lookup(_host: string, _options: object, done: (error: null, found: LookupAddress[]) => void) {
    const found = answers.shift() ?? []
    done(
      null,
      found.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  },
}))

beforeEach(() => answers.splice(0))

const ask = (port: number, networks = outgoingNetworks([])) =>
  fetchAnswer(`http://sellos.example:${port}/`, {
    ...{ limit: 1_000, networks },
    signal: AbortSignal.timeout(5_000),
  })

test('V1.3.6 name of a host: nothing is sent to an address of the own networks, wherever it leads', async () => {
  const { port, asked } = await listeningOn('127.0.0.1')
  for (const addresses of [
    ['127.0.0.1'],
    ['::1'],
    ['::ffff:127.0.0.1'],
    ['169.254.169.254'],
    ['10.0.0.5', '192.168.1.1'],
    ['100.64.0.1'],
    ['fd00::1', 'fe80::1'],
    ['64:ff9b::7f00:1'],
    ['0.0.0.0'],
  ]) {
    answers.push(addresses)
    const answer = await ask(port)
    expect([addresses, answer]).toEqual([
      addresses,
      { kind: 'failed', isSlow: false, reason: expect.stringContaining('no service may be in') },
    ])
  }
  expect(asked.count).toBe(0)
})

test('V1.3.6 name that leads elsewhere when it is asked again: the connection goes where the check looked', async () => {
  const allowed = await listeningOn('127.0.0.2')
  const hidden = await listeningOn('127.0.0.1', allowed.port)
  const networks = (address: string) => address === '127.0.0.2'
  // A second question about the same request would be answered with the hidden address.
  answers.push(['127.0.0.2'], ['127.0.0.1'])
  expect((await ask(allowed.port, networks)).kind).toBe('answered')
  expect(answers).toHaveLength(1)
  expect((await ask(allowed.port, networks)).kind).toBe('failed')
  expect([allowed.asked.count, hidden.asked.count]).toEqual([1, 0])
})

/** A server of this machine for the running test, and how often it was connected to. */
async function listeningOn(host: string, port = 0) {
  const asked = { count: 0 }
  const server = createServer((_request, response) => response.end('something'))
  server.on('connection', () => {
    asked.count += 1
  })
  await new Promise<void>((resolve) => server.listen(port, host, resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, asked }
}
