import net from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { signedInClient } from '#tests/e2e/support/http.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'a')

/** Sends a whole request before reading, as a browser does, and returns the status line. */
async function sendAllThenListen(origin: string, lines: readonly string[], megabytes: number) {
  const { hostname, port, host } = new URL(origin)
  const socket = net.connect({ host: hostname, port: Number(port) })
  const lost = new Promise<never>((_, reject) => socket.once('error', reject))
  const send = (bytes: string | Buffer) =>
    Promise.race([lost, new Promise((resolve) => socket.write(bytes, resolve))])
  socket.pause()
  const head = [...lines, `Host: ${host}`, `Content-Length: ${megabytes * MEGABYTE.length}`]
  await send(`${head.join('\r\n')}\r\n\r\n`)
  for (let sent = 0; sent < megabytes; sent += 1) {
    await send(MEGABYTE)
    // Long enough for the answer. A server that closes too early discards the rest of the request, and the client
    // loses the answer.
    if (sent < 2) await wait(300)
  }
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  socket.resume()
  await Promise.race([lost, new Promise((resolve) => socket.once('close', resolve))])
  return answer.split('\r\n')[0]
}

test('refused upload: the client reads the answer although it is still sending', async ({
  demo,
  person,
}) => {
  const clerk = await signedInClient(demo.origin, person('CLERK'))
  const cookie = `Cookie: ${[...clerk.cookies].map((pair) => pair.join('=')).join('; ')}`
  const ours = `Origin: ${demo.origin}`
  const type = 'Content-Type: multipart/form-data; boundary=x'
  const asked: [string, number, string, ...string[]][] = [
    ['a session that is over', 302, '/dashboard/documents/new', ours],
    ['a page for strangers', 303, '/login', ours, cookie],
    ['a page without forms', 405, '/', ours],
    ['a page that is not', 404, '/nada', ours],
    ['a call that is not', 404, '/api/v1/nada', ours],
    ['another site', 403, '/login', 'Origin: http://otro.example'],
    ['another method', 405, '/login', ours],
  ]
  for (const [name, status, path, ...headers] of asked) {
    const method = name === 'another method' ? 'PATCH' : 'POST'
    const lines = [`${method} ${path} HTTP/1.1`, 'Connection: close', type, ...headers]
    expect.soft(await sendAllThenListen(demo.origin, lines, 12), name).toContain(` ${status} `)
  }
})

test('upload far over every limit: the client reads the refusal', async ({ demo }) => {
  const type = 'Content-Type: multipart/form-data; boundary=x'
  const lines = ['POST /login HTTP/1.1', 'Connection: close', `Origin: ${demo.origin}`, type]
  expect(await sendAllThenListen(demo.origin, lines, 300)).toContain(' 400 ')
})
