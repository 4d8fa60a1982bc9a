import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { drain } from '#server/web/drain.ts'

const MEGABYTE = Buffer.alloc(1024 * 1024, 'a')
let server: Server | undefined
afterEach(() => server?.close())

type Begin = (request: IncomingMessage) => void

/** Sends until all is sent or the connection ends; without `Connection: close`, as programs do. */
async function send(megabytes: number, begin: Begin = () => undefined) {
  server = createServer(async (request, response) => {
    begin(request)
    await drain(request, response)
    response.writeHead(403).end('no')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const received = once(server, 'connection').then(([socket]) => socket)
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let answer = ''
  socket.on('data', (chunk) => {
    answer += chunk.toString('latin1')
  })
  let isOver = false
  const over = new Promise<void>((resolve) => {
    socket
      .on('error', () => undefined)
      .once('close', () => {
        isOver = true
        resolve()
      })
  })
  const length = megabytes * MEGABYTE.length
  socket.write(`POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\n\r\n`)
  for (let sent = 0; sent < megabytes && !isOver; sent += 1)
    await Promise.race([over, new Promise((resolve) => socket.write(MEGABYTE, resolve))])
  const deadline = Date.now() + 2000
  while (!answer && !isOver && Date.now() < deadline) await wait(10)
  await wait(100)
  const { bytesRead, destroyed } = await received
  socket.destroy()
  return { status: answer.split(' ')[1], answer, read: bytesRead / MEGABYTE.length, destroyed }
}

test('drained request: the rest of the largest document is read and the connection stays open', async () => {
  const { status, read, destroyed } = await send(200)
  expect([status, Math.floor(read), destroyed]).toEqual(['403', 200, false])
})

test('drained request: a body that was read in part is read to its end', async () => {
  const { status, read } = await send(20, (request) => {
    request.on('data', () => request.pause())
  })
  expect([status, Math.floor(read)]).toEqual(['403', 20])
})

test('drained request: an endless body is cut off and the connection closes after the answer', async () => {
  const { read, destroyed } = await send(400)
  expect(destroyed).toBe(true)
  expect(read).toBeGreaterThan(319)
  expect(read).toBeLessThan(325)
})
