import path from 'node:path'
import { performance } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import Database from 'better-sqlite3'
import { type Client, clientOf, send } from '#tests/e2e/support/http.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'

const THREADS = 100
const SIGN_INS = 20
const LONGEST_SIGN_IN_MS = 3_000
/** The attack ends by then, whatever happens. */
const LONGEST_ATTACK_MS = 25_000

/** The second attack is looked at so often, and so many times. */
const LOOK_MS = 100
const LOOKS = 60

const EMAIL = 'angela@notaria7.example'
const PASSWORD = 'caballo grapa lluvia 47 tinta'

let server: ServerProcess
let origin: string

test.beforeAll(async () => {
  test.setTimeout(180_000)
  const port = await freePort()
  origin = `http://localhost:${port}`
  // This test is a proxy, too: it says that each attempt comes from another network.
  server = await startServer('start', { PORT: String(port), TRUST_PROXY: '127.0.0.1,::1' })
})
test.afterAll(() => server?.stop())

const clientFrom = (ip: string) =>
  clientOf(origin, 'Test/1.0', { address: origin, headers: { 'X-Forwarded-For': ip } })

/** Creates the office and its administrator, whose browser is a known device from then on. */
async function installed(): Promise<Client> {
  const client = clientFrom('192.0.2.1')
  const code = /http\S+#(\S+)/.exec(server.said())?.[1] ?? ''
  const made = await client.post('/activate/installation', {
    code,
    name: 'Notaría 7 de Puebla',
    number: '7',
    entity: 'Puebla',
    municipality: 'Puebla',
    address: 'Av. Juárez 100, 72000 Puebla',
    timeZone: 'America/Mexico_City',
    firstName: 'Ángela',
    lastName: 'Ruiz Peña',
    email: EMAIL,
    rfc: 'RUPA800101AB1',
    newPassword: PASSWORD,
    confirmPassword: PASSWORD,
  })
  expect(made.status).toBe(303)
  return client
}

/** From a form that stands on the screen. */
const signIn = (client: Client, csrf: string) =>
  client.raw('/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: origin },
    body: new URLSearchParams({ csrf, email: EMAIL, password: PASSWORD }).toString(),
  })

/** Another network for each turn, IPv4 and IPv6 of all sizes. */
function networkOf(turn: number): string {
  const byte = (shift: number) => (turn >> shift) & 0xff
  const hex = turn.toString(16)
  const addresses = [
    `198.18.${byte(8)}.${byte(0)}`,
    `2001:db8:7:${(turn & 0xffff).toString(16)}::1`,
    `2001:db8:${hex}:1::1`,
  ]
  return addresses[turn % addresses.length] ?? ''
}

/** Guesses passwords of one account and of others until told to stop; returns the answers by status. */
function attack(csrf: string, cookie: string) {
  const statuses = new Map<number, number>()
  const end = performance.now() + LONGEST_ATTACK_MS
  const underWay = Promise.withResolvers<void>()
  let turn = 0
  let isOver = false
  async function guess(): Promise<void> {
    while (!isOver && performance.now() < end) {
      turn += 1
      const email = turn % 2 === 0 ? EMAIL : `persona${turn}@notaria.example`
      const { status } = await send(`${origin}/login`, {
        method: 'POST',
        headers: {
          'Content-Type': 'application/x-www-form-urlencoded',
          Origin: origin,
          Cookie: cookie,
          'X-Forwarded-For': networkOf(turn),
        },
        body: new URLSearchParams({ csrf, email, password: `no es esta ${turn}` }).toString(),
      })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      if (statuses.has(401) && statuses.has(429)) underWay.resolve()
    }
  }
  const threads = Promise.all(Array.from({ length: THREADS }, guess))
  return {
    /** Once guesses were checked, and others refused. */
    isUnderWay: underWay.promise,
    async stop() {
      isOver = true
      await threads
      return Object.fromEntries(statuses)
    },
  }
}

test('known device: signs in within 3 seconds while 100 threads guess from changing networks', async () => {
  test.setTimeout(120_000)
  const owner = await installed()
  const browser = owner.cookies.get('__Host-browser') ?? ''
  const stranger = clientFrom('198.51.100.1')
  const csrf = await stranger.token('/login')
  const cookie = [...stranger.cookies].map((pair) => pair.join('=')).join('; ')

  const known = clientFrom('192.0.2.1')
  known.cookies.set('__Host-browser', browser)
  const own = { csrf: await known.token('/login'), browser: [...known.cookies] }

  const guessing = attack(csrf, cookie)
  await guessing.isUnderWay
  const times: number[] = []
  for (let index = 0; index < SIGN_INS; index += 1) {
    known.cookies.clear()
    for (const [name, value] of own.browser) known.cookies.set(name, value)
    const start = performance.now()
    const { status } = await signIn(known, own.csrf)
    times.push(performance.now() - start)
    expect([index, status]).toEqual([index, 303])
  }
  const answers = await guessing.stop()

  const slowest = Math.max(...times)
  test.info().annotations.push({
    type: 'slowest sign-in',
    description: `${slowest.toFixed(0)} ms beside ${JSON.stringify(answers)}`,
  })
  // The attack was one: strangers were refused, for their guesses and for their number.
  expect(answers[401] ?? 0).toBeGreaterThan(0)
  expect(answers[429] ?? 0).toBeGreaterThan(0)
  expect(Object.keys(answers).toSorted()).toEqual(['401', '429'])
  expect(slowest).toBeLessThan(LONGEST_SIGN_IN_MS)
})

/** What is stored, and how often it was written since the last look. */
function openStored() {
  const db = new Database(path.join(server.dataFolder, 'rubrica.sqlite'), { readonly: true })
  const countOf = (table: string) =>
    Number(db.prepare(`select count(*) from ${table}`).pluck().get())
  // Another number after each commit of another connection.
  const version = () => Number(db.pragma('data_version', { simple: true }))
  let last = version()
  let changes = 0
  const timer = setInterval(() => {
    const now = version()
    if (now !== last) changes += 1
    last = now
  }, LOOK_MS)
  return {
    rows: () => ({ events: countOf('audit_events'), attempts: countOf('attempts') }),
    changes: () => changes,
    close() {
      clearInterval(timer)
      db.close()
    },
  }
}

/** Jobs with long intervals note that they ran: nothing is written for a while then. */
async function jobsOfStartAreDone({ changes }: Pick<ReturnType<typeof openStored>, 'changes'>) {
  for (let before = -1; before !== changes(); ) {
    before = changes()
    await pause(1_500)
  }
}

test('refused guesses: 100 threads at one account write nothing', async () => {
  test.setTimeout(120_000)
  const stranger = clientFrom('198.51.100.2')
  const csrf = await stranger.token('/login')
  const cookie = [...stranger.cookies].map((pair) => pair.join('=')).join('; ')
  const headers = {
    'Content-Type': 'application/x-www-form-urlencoded',
    Origin: origin,
    Cookie: cookie,
    'X-Forwarded-For': '198.51.100.2',
  }
  const body = (turn: number) =>
    new URLSearchParams({ csrf, email: EMAIL, password: `no es esta ${turn}` }).toString()
  const guess = async (turn: number) =>
    (await send(`${origin}/login`, { method: 'POST', headers, body: body(turn) })).status
  for (let turn = 0; turn < 7; turn += 1) await guess(turn)

  const stored = openStored()
  try {
    await jobsOfStartAreDone(stored)
    const [before, changesBefore] = [stored.rows(), stored.changes()]
    const end = performance.now() + LOOKS * LOOK_MS
    const statuses: number[] = []
    await Promise.all(
      Array.from({ length: THREADS }, async () => {
        while (performance.now() < end) statuses.push(await guess(statuses.length))
      }),
    )
    const [after, changes] = [stored.rows(), stored.changes() - changesBefore]
    test.info().annotations.push({
      type: 'writes',
      description: `${changes} of ${LOOKS} looks beside ${statuses.length} answers`,
    })
    expect(statuses.length).toBeGreaterThan(THREADS)
    expect(new Set(statuses)).toEqual(new Set([429]))
    // The event of a minute, if it ends now.
    expect(after.events - before.events).toBeLessThanOrEqual(1)
    expect(after.attempts).toBe(before.attempts)
    // Jobs write now and then, and the process that runs them gives a sign of life every four seconds.
    expect(changes).toBeLessThan(LOOKS / 6 + (LOOKS * LOOK_MS) / 4_000)
  } finally {
    stored.close()
  }
})
