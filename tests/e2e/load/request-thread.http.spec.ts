import { expect, test } from '@playwright/test'
import { type Client, clientOf } from '#tests/e2e/support/http.ts'
import { timesSlower } from '#tests/support/floor.ts'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { startTimedServer, type TimedServer } from '#tests/support/processes/timed-server.ts'
import { hostileBundles, hostileDer, hostileKeys, hostilePdfs } from './hostile-files.ts'
import {
  type Hostile,
  hostileCalls,
  hostileForms,
  hostileHeaders,
  hostileMultiparts,
} from './hostile-requests.ts'

/*
 * Whatever strangers, guests and users send, no task of the request thread takes more than 200 ms of its processor
 * time. The server is the production build as `npm start` runs it.
 */

/** On the machine for which it is written; on a slower one as many times more. */
const LONGEST_TASK_MS = 200

let server: TimedServer
let origin: string
let office: FullOffice
let clients: Record<Hostile['as'], Client>

test.beforeAll(async () => {
  test.setTimeout(180_000)
  const port = await freePort()
  origin = `http://localhost:${port}`
  // This test is a proxy: each request of a stranger comes from another network.
  const environment = { PORT: String(port), TRUST_PROXY: '127.0.0.1,::1' }
  server = await startTimedServer(environment, { documents: 0, events: 0 })
  office = server.office
  clients = { stranger: clientOf(origin), guest: clientOf(origin), member: clientOf(origin) }
  for (const as of ['guest', 'member'] as const) {
    const [name = '', value = ''] = office[as].split(/=(.*)/)
    clients[as].cookies.set(name, value)
  }
  // The first pages compile what the others use, too.
  for (const address of ['/', '/login', '/verify/document']) await clients.stranger.get(address)
  for (const address of ['/dashboard', '/dashboard/documents/new'])
    await clients.member.get(address)
  await server.longestTask()
})
test.afterAll(() => server?.stop())

const MEMBER_FORM = '/dashboard/documents/new'
const GUEST_FORM = () => `/sign/documents/${office.awaited.id}/without-scripts`

/** Sends them one after the other. @returns those that keep the request thread for long */
async function attack(requests: readonly Hostile[]): Promise<string[]> {
  const forms = { stranger: '/login', guest: GUEST_FORM(), member: MEMBER_FORM }
  const tokens = {
    stranger: await clients.stranger.token(forms.stranger),
    guest: await clients.guest.token(forms.guest),
    member: await clients.member.token(forms.member),
  }
  const late: { told: string; cpu: number }[] = []
  let slower = await timesSlower()
  const statuses: Record<string, number> = {}
  let longest = 0
  await server.longestTask()
  for (const [number, one] of requests.entries()) {
    const status = await send(one, number, tokens[one.as])
    expect([500, 502], `${one.name} at ${one.path}`).not.toContain(status)
    statuses[status] = (statuses[status] ?? 0) + 1
    const { cpu, wall } = await server.longestTask()
    longest = Math.max(longest, cpu)
    if (cpu > LONGEST_TASK_MS)
      late.push({
        told: `${one.name} at ${one.path} (${status}): ${cpu.toFixed(0)} ms, wall ${wall.toFixed(0)} ms`,
        cpu,
      })
  }
  slower = Math.max(slower, await timesSlower())
  console.log(
    `longest task ${longest.toFixed(0)} ms; machine ${slower.toFixed(1)} times slower; answers:`,
    statuses,
  )
  return late.filter(({ cpu }) => cpu > LONGEST_TASK_MS * slower).map(({ told }) => told)
}

async function send(one: Hostile, number: number, token: string): Promise<number | string> {
  const made = one.body?.(token)
  const headers = {
    'X-Forwarded-For': `10.${(number >> 8) & 255}.${number & 255}.7`,
    ...(made && {
      ...{ 'Content-Type': made.type, Origin: origin, 'X-CSRFToken': token },
      'Content-Length': Buffer.byteLength(made.content),
    }),
    ...one.headers,
  }
  try {
    const body = made && { body: made.content }
    return (await clients[one.as].raw(one.path, { method: one.method, headers, ...body })).status
  } catch (error) {
    // A refused body is not read: the connection ends.
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
}

const CALLS = [
  ...['login', 'logout', 'refresh', 'change-password', 'verify-mfa', 'mfa/totp/enable'],
  ...['mfa/totp/verify-setup', 'mfa/backup-codes/regenerate', 'webauthn/authenticate/begin'],
  ...['webauthn/authenticate/finish', 'webauthn/register/begin', 'webauthn/register/finish'],
].map((name) => ({ method: 'POST', template: `/auth/${name}` }))
const SIGNING = ['/signing/documents/{id}/prepare', '/signing/prepared/{id}/complete'].map(
  (template) => ({ method: 'POST', template }),
)

const CORPUS: Record<string, () => Hostile[] | Promise<Hostile[]>> = {
  'headers and addresses': () => hostileHeaders(office),
  multiparts: hostileMultiparts,
  forms: hostileForms,
  PDF: hostilePdfs,
  'certificates, signatures and answers': () => hostileDer(office),
  'key files': () => hostileKeys(office),
  'lists of authorities': hostileBundles,
  'JSON calls': () => hostileCalls([...SIGNING, ...CALLS]),
}

for (const [name, corpus] of Object.entries(CORPUS))
  test(`request thread: hostile ${name} keep it for no longer than 200 ms`, async () => {
    test.setTimeout(600_000)
    expect(await attack(await corpus())).toEqual([])
  })
