import net from 'node:net'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { send } from '#tests/e2e/support/http.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/** With 64 KB each; handled at once they keep everybody else waiting for a minute and a half. */
const CONNECTIONS = 20
const REQUESTS = 1_000
const ROUNDS = 10
const LONGEST_ANSWER_MS = 5_000

test('20,000 pages that strangers ask for without waiting for answers: others are answered', async () => {
  test.setTimeout(180_000)
  const PORT = String(await freePort())
  const server = await startServer('start', { PORT })
  const sockets: net.Socket[] = []
  try {
    const address = `http://localhost:${PORT}/login`
    expect((await send(address)).status).toBe(200)
    const asked = `GET /login HTTP/1.1\r\nHost: localhost:${PORT}\r\n\r\n`.repeat(REQUESTS)
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const socket = net.connect(Number(PORT), '127.0.0.1')
      socket.on('error', () => undefined).pause()
      socket.write(asked)
      sockets.push(socket)
    }
    const times: number[] = []
    for (let round = 0; round < ROUNDS; round += 1) {
      const start = performance.now()
      expect((await send(address)).status).toBe(200)
      times.push(performance.now() - start)
      await pause(50)
    }
    const longest = Math.max(...times)
    console.log(`beside pipelined requests: the longest answer took ${longest.toFixed(0)} ms`)
    expect(longest).toBeLessThan(LONGEST_ANSWER_MS)
  } finally {
    for (const socket of sockets) socket.destroy()
    await server.stop()
  }
})
