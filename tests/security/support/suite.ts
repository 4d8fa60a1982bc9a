import { randomInt } from 'node:crypto'
import type { ApiBody } from '#tests/e2e/support/api-body.ts'
import { type Answered, type Client, clientOf } from '#tests/e2e/support/http.ts'
import { test as newcomers } from '#tests/e2e/support/newcomers.ts'
import { type OfficeDatabase, officeDatabase } from '#tests/e2e/support/office-database.ts'
import { type Demo, WITHOUT_DEMO } from '#tests/support/processes/demo-server.ts'
import { freePort, type ServerProcess } from '#tests/support/processes/server-process.ts'
import { startOffice } from '#tests/support/processes/started-server.ts'

export { expect } from '@playwright/test'
export type { Answered, Client } from '#tests/e2e/support/http.ts'

type Account = { email: string; password: string }
export type Called = Answered & { body: ApiBody }

/**
 * An office that was activated for real use, as `npm start` serves it, behind a proxy that ends TLS; the suite speaks
 * as that proxy.
 */
export type Guarded = { server: ServerProcess; demo: Demo; address: string; rows: OfficeDatabase }

const PUBLIC_ORIGIN = 'https://rubrica.test'

type Fixtures = {
  /** A client without a session; each gets its own network address unless one is given. */
  visitor: (network?: string) => Client
  /** A client in which the user has signed in. */
  enter: (account: Account, network?: string) => Promise<Client>
}

/** The base of the suite: its own production server, which tests may attack. */
export const test = newcomers.extend<Fixtures, { guarded: Guarded }>({
  guarded: [
    async ({}, use) => {
      const guarded = await startGuarded()
      await use(guarded)
      guarded.rows.close()
      await guarded.server.stop()
    },
    { scope: 'worker', timeout: 180_000 },
  ],
  demo: async ({ guarded }, use) => use(guarded.demo),
  rows: async ({ guarded }, use) => use(guarded.rows),
  visitor: async ({ guarded }, use) =>
    use((network = aNetwork()) =>
      clientOf(PUBLIC_ORIGIN, 'Test/1.0', {
        address: guarded.address,
        headers: { Host: 'rubrica.test', 'X-Forwarded-For': network, 'X-Forwarded-Proto': 'https' },
      }),
    ),
  enter: async ({ visitor }, use) =>
    use(async ({ email, password }, network) => {
      const client = visitor(network)
      const { status } = await client.post('/login', { email, password })
      if (status !== 303) throw new Error(`${email} could not sign in: ${status}`)
      return client
    }),
})

export async function startGuarded(): Promise<Guarded> {
  const port = await freePort()
  const environment = { PORT: String(port), PUBLIC_ORIGIN, TRUST_PROXY: '127.0.0.1' }
  const { server, users } = await startOffice(environment)
  const demo = { origin: PUBLIC_ORIGIN, users, ...WITHOUT_DEMO }
  const rows = officeDatabase(server.dataFolder)
  return { server, demo, rows, address: `http://127.0.0.1:${port}` }
}

/** A client address that no other test uses. */
const aNetwork = () => `10.${randomInt(256)}.${randomInt(256)}.${randomInt(1, 255)}`

/** Calls the API with token, origin and JSON. */
export async function call(
  client: Client,
  method: string,
  path: string,
  body?: unknown,
  more: Record<string, string> = {},
): Promise<Called> {
  const address = path.startsWith('/') ? path : `/api/v1/auth/${path}`
  if (!client.cookies.has('csrftoken')) await client.get('/api/v1/auth/health')
  const content = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  const headers = {
    Origin: client.origin,
    ...(method !== 'GET' && { 'X-CSRFToken': client.cookies.get('csrftoken') ?? '' }),
    ...(method !== 'GET' && { 'Content-Type': 'application/json' }),
    // Node's client sends the body of a DELETE without a length, and the server would then ignore it.
    ...(content !== '' && { 'Content-Length': Buffer.byteLength(content) }),
    ...more,
  }
  const answer = await client.raw(address, {
    method,
    headers,
    ...(content !== '' && { body: content }),
  })
  return { ...answer, body: bodyOf(answer) }
}

/** Undefined for an answer without JSON, of which a test reads the status alone. */
function bodyOf({ headers, text }: Answered) {
  return /json/.test(headers['content-type'] ?? '') && text !== '' ? JSON.parse(text) : undefined
}

/** A client with stolen cookies. */
export function copyOf(client: Client, visitor: Fixtures['visitor']): Client {
  const thief = visitor()
  for (const [name, value] of client.cookies) thief.cookies.set(name, value)
  return thief
}

/** Whether the client has a valid session, for pages and calls alike. */
export async function isIn(client: Client): Promise<boolean> {
  const page = await client.get('/dashboard')
  const called = await client.get('/api/v1/auth/sessions')
  const answers = [page.status, called.status]
  if (`${answers}` === '200,200') return true
  if (`${answers}` === '302,401' && page.headers.location?.startsWith('/login')) return false
  throw new Error(`neither in nor out: ${answers} ${page.headers.location}`)
}

export const linesOf = ({ headers }: Answered) => headers['set-cookie'] ?? []
