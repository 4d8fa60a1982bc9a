import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { assignRequestId, oneOrigin, onlyEncrypted } from '#server/web/request-guards.ts'

const OURS = 'http://localhost:3000'

let server: Server

beforeAll(async () => {
  const app = express()
    .use(assignRequestId, oneOrigin(OURS), onlyEncrypted(OURS))
    .use((request, response) => {
      // As the application reads it.
      response.send(new URL(`${OURS}${request.originalUrl}`).pathname)
    })
  server = createServer(app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

/** The answer to a request with a malformed target. */
async function ask(target: string, ...hosts: string[]) {
  const [host = 'localhost:3000', ...more] = hosts
  const others = more.map((other) => `Host: ${other}\r\n`).join('')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`GET ${target} HTTP/1.1\r\nHost: ${host}\r\n${others}Connection: close\r\n\r\n`)
  const answer = await text(socket)
  const [, status] = answer.split(' ')
  const [, location] = /^location: (.*)$/im.exec(answer) ?? []
  return { status: Number(status), ...(location && { location: location.trim() }) }
}

test.each(['/', '/login?returnUrl=%2F', '//', '//evil.example/'])(
  '%s is for us',
  async (target) => {
    expect(await ask(target)).toEqual({ status: 200 })
  },
)

test.each(['http://evil.example/', 'http://localhost:3000/login', 'http://x', '*'])(
  '%s is no path, and not for us',
  async (target) => {
    expect(await ask(target)).toEqual({ status: 421 })
    expect(await ask(target, '127.0.0.1:3000')).toEqual({ status: 421 })
  },
)

test.each(['/login', '//', '//evil.example/', '/\\evil.example'])(
  '%s of 127.0.0.1 leads to us',
  async (target) => {
    const { status, location = '' } = await ask(target, '127.0.0.1:3000')
    expect(status).toBe(308)
    expect(new URL(location).origin).toBe(OURS)
  },
)

test.each(['localhost:3000', 'evil.example', ''])('a second host %s is an error', async (other) => {
  expect(await ask('/', 'localhost:3000', other)).toEqual({ status: 400 })
  expect(await ask('/', other, 'localhost:3000')).toEqual({ status: 400 })
})
