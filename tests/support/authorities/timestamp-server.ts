import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import type { Instant } from '#server/domain/time.ts'
import type { StampingAuthority } from './time-stamps.ts'

export const REPLY = { 'Content-Type': 'application/timestamp-reply' }

type Listener = (query: Uint8Array, ...rest: Parameters<RequestListener>) => unknown

/** An authority on this machine for the running test; `asked` counts its requests. */
export async function timestampServer(listener: Listener) {
  const server = await startTimestampServer(listener)
  onTestFinished(server.stop)
  return server
}

/** A server that runs until it is stopped. */
export async function startTimestampServer(listener: Listener) {
  const asked = { count: 0 }
  const server = createServer(async (request, response) => {
    asked.count += 1
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    await listener(new Uint8Array(Buffer.concat(chunks)), request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsa`
  return { url, asked, stop }
}

/** A correct server. */
export const stampingServer = (authority: StampingAuthority, now: () => Instant) =>
  timestampServer((query, _request, response) =>
    response.writeHead(200, REPLY).end(answerTimestamp(query, authority, now())),
  )
