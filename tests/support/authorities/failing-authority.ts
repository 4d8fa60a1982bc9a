import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { instantOf } from '#server/domain/time.ts'
import { askedIn } from '#server/domain/timestamp/constancia-request.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import { type StampingAuthority, stampingAuthority } from './time-stamps.ts'

/** How a service of the demo's authority fails. */
export type Outage =
  | 'none'
  | 'unreachable'
  | 'error'
  | 'a page'
  | 'nothing'
  | 'junk'
  | 'half'
  | 'half, and says so'
  | 'endless'
  | 'altered'
  | 'to another nonce'
  | 'over another file'
  | 'of a stranger'
  | 'of another hour'
  | 'silent'

type Service = 'tsa' | 'ocsp' | 'constancia'

export type FailingAuthority = {
  /** The origin that clients use in place of the server's own. */
  origin: string
  outages: Record<Service, Outage>
  /** The bodies of all requests to this service, in their order. */
  asked: Record<Service, Buffer[]>
  stop(): void
}

const TYPES: Record<Service, string> = {
  tsa: 'application/timestamp-reply',
  constancia: 'application/timestamp-reply',
  ocsp: 'application/ocsp-response',
}
const HOUR_MS = 3_600_000

/** Stands before the server of a demo office as a proxy does, and lets the services of its authority fail. */
export async function failingAuthority(serverPort: number): Promise<FailingAuthority> {
  const stranger = await stampingAuthority()
  const outages: FailingAuthority['outages'] = { tsa: 'none', ocsp: 'none', constancia: 'none' }
  const asked: FailingAuthority['asked'] = { tsa: [], ocsp: [], constancia: [] }
  const server = http.createServer(async (request, response) => {
    const body = await bodyOf(request)
    const service = /^\/demo\/(tsa|ocsp|constancia)$/.exec(request.url ?? '')?.[1] as Service
    const pass = (bytes: Buffer) => passOn(serverPort, request, bytes)
    try {
      if (!service) return await copy(await pass(body), response)
      asked[service].push(body)
      await fail(outages[service], { service, body, response, pass, stranger })
    } catch {
      response.destroy()
    }
  })
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve))
  const stop = () => {
    server.closeAllConnections()
    server.close()
  }
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return { origin, outages, asked, stop }
}

type Asked = {
  service: Service
  body: Buffer
  response: ServerResponse
  pass(body: Buffer): Promise<IncomingMessage>
  stranger: StampingAuthority
}

async function fail(outage: Outage, { service, body, response, pass, stranger }: Asked) {
  const type = TYPES[service]
  const rightOne = async (bytes = body) => await bodyOf(await pass(bytes))
  const answer = (bytes: Uint8Array | string) =>
    void response.writeHead(200, { 'Content-Type': type }).end(bytes)
  /** The authority is asked something else. */
  const askingAbout = async (changed: 'imprint' | 'nonce') => {
    const { imprint, nonce } = askedIn(body)
    const request = timeStampRequest({
      digest: changed === 'imprint' ? flipped(imprint) : imprint,
      nonce: changed === 'nonce' ? flipped(nonce) : nonce,
      policy: null,
    })
    return answer(await rightOne(Buffer.from(request)))
  }
  switch (outage) {
    case 'none':
      return answer(await rightOne())
    case 'unreachable':
      return void response.destroy()
    case 'silent':
      return
    case 'error':
      return void response.writeHead(503).end()
    case 'a page':
      return void response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Mantenimiento')
    case 'nothing':
      return answer('')
    case 'junk':
      return answer(Buffer.alloc(3000, 0x5a))
    case 'endless':
      return endless(response, type)
    case 'half': {
      const whole = await rightOne()
      response.writeHead(200, { 'Content-Type': type, 'Content-Length': whole.length })
      response.write(whole.subarray(0, whole.length / 2), () => response.destroy())
      return
    }
    case 'half, and says so': {
      const whole = await rightOne()
      return answer(whole.subarray(0, whole.length / 2))
    }
    case 'altered':
      return answer(flipped(await rightOne()))
    case 'to another nonce':
      return await askingAbout('nonce')
    case 'over another file':
      return await askingAbout('imprint')
    case 'of a stranger':
      return answer(answerTimestamp(body, stranger, instantOf(Date.now())))
    case 'of another hour':
      return answer(answerTimestamp(body, stranger, instantOf(Date.now() - HOUR_MS)))
  }
}

/** With another bit near its end. */
function flipped(bytes: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(bytes)
  const at = copy.length - 5
  copy[at] = copy[at]! ^ 1
  return copy
}

function endless(response: ServerResponse, type: string): void {
  response.writeHead(200, { 'Content-Type': type })
  const more = setInterval(() => {
    if (response.destroyed) clearInterval(more)
    else response.write(Buffer.alloc(50_000, 0x30))
  }, 5)
}

function passOn(
  port: number,
  { url, method, headers }: IncomingMessage,
  body: Buffer,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const same = { ...headers, 'content-length': body.length }
    http
      .request({ host: 'localhost', port, path: url, method, headers: same }, resolve)
      .on('error', reject)
      .end(body)
  })
}

async function copy(from: IncomingMessage, to: ServerResponse): Promise<void> {
  to.writeHead(from.statusCode ?? 502, from.rawHeaders)
  for await (const chunk of from) to.write(chunk)
  to.end()
}

async function bodyOf(message: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of message) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}
