import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { type Answered, type Client, clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import type { Random } from '#tests/fuzz/random.ts'
import { mutatingRoutes } from '#tests/security/support/routes.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { sqliteRows } from '#tests/support/processes/office-rows.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'
import { type Shot, TOKEN } from './shots.ts'
import { type Watch, watchServer } from './watch.ts'

/** A production server with its visitors: a stranger, a notary and an administrator. */
export type Target = {
  server: ServerProcess
  watch: Watch
  origin: string
  notary: DemoUser
  forms: readonly string[]
  calls: readonly { method: string; path: string }[]
  /** Undefined if the server closed the connection without an answer. */
  send(shot: Shot, random: Random): Promise<Answered | undefined>
  /** Signs in again who was signed out. */
  refresh(): Promise<void>
  stop(): Promise<void>
}

/** Of the server: a worker ends a file's task in this time, and a raw request may wait for its rest. */
const LONGEST_ANSWER_MS = 30_000
const RAW_ANSWER_MS = 300

export async function startTarget(): Promise<Target> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-hostile-'))
  const PORT = String(await freePort())
  const origin = `http://localhost:${PORT}`
  // Each input comes from an address of its own: the limits of one address have tests of their own.
  const TRUST_PROXY = '127.0.0.1 ::1'
  const server = await startServer('demo', { PORT, DATA_DIR: dataFolder, TRUST_PROXY })
  const demo: Demo = JSON.parse(readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8'))
  const [notary, admin] = [userWith(demo, 'NOTARY'), userWith(demo, 'ADMIN')]
  let visitors = await visitorsOf(origin, notary, admin)
  const watch = watchServer(origin, server.pid)
  return {
    ...{ server, watch, origin, notary, calls: await callsOf(origin) },
    forms: await formsOf(dataFolder),
    send: (shot, random) =>
      shot.raw ? sendRaw(Number(PORT), shot.raw) : sendShot(visitors, shot, addressOf(random)),
    async refresh() {
      visitors = await visitorsOf(origin, notary, admin)
    },
    async stop() {
      watch.end()
      await server.stop()
      rmSync(dataFolder, { recursive: true, force: true })
    },
  }
}

function userWith({ users }: Demo, role: string): DemoUser {
  const found = users.find(({ roles }) => roles.includes(role))
  if (!found) throw new Error(`no ${role} in the demo`)
  return found
}

type Visitor = { client: Client; csrf: string }
type Visitors = Record<'stranger' | 'notary' | 'admin', Visitor>

async function visitorsOf(origin: string, notary: DemoUser, admin: DemoUser): Promise<Visitors> {
  const [first, second] = [
    await signedInClient(origin, notary),
    await signedInClient(origin, admin),
  ]
  const stranger = clientOf(origin)
  return {
    stranger: { client: stranger, csrf: await stranger.token() },
    notary: { client: first, csrf: await first.token('/dashboard') },
    admin: { client: second, csrf: await second.token('/dashboard') },
  }
}

/** A new address of the documentation networks for each input. @see RFC 5737 */
const addressOf = (random: Random) => `198.51.${random.below(256)}.${1 + random.below(254)}`

async function sendShot(visitors: Visitors, shot: Shot, address: string) {
  const { as, method, path: place, headers, body } = shot
  const staff = place.startsWith('/dashboard/settings') ? visitors.admin : visitors.notary
  const { client: sender, csrf } = as === 'stranger' ? visitors.stranger : staff
  // A copy: the answer to a hostile input must not sign the visitor out.
  const client = clientOf(sender.origin)
  for (const [name, value] of sender.cookies) client.cookies.set(name, value)
  const common = { 'X-Forwarded-For': address, Origin: sender.origin }
  return await inTime(
    client.raw(place.startsWith('/') ? place : `/${place}`, {
      method,
      headers: { ...common, ...headers },
      ...(body !== undefined && { body: withToken(body, csrf) }),
    }),
  )
}

function withToken(body: Uint8Array | string, csrf: string): Buffer {
  const bytes = Buffer.from(body as Uint8Array)
  return Buffer.from(bytes.toString('latin1').replace(TOKEN, csrf), 'latin1')
}

async function inTime(answer: Promise<Answered>): Promise<Answered | undefined> {
  const late = AbortSignal.timeout(LONGEST_ANSWER_MS)
  const tooLate = new Promise<never>((_, reject) =>
    late.addEventListener('abort', () => reject(new TooLate('it is not answered'))),
  )
  try {
    return await Promise.race([answer, tooLate])
  } catch (error) {
    if (error instanceof TooLate) throw error
    // Refused by our own client, or closed by the server in the middle of a body that is too long.
    return undefined
  }
}

export class TooLate extends Error {}

function sendRaw(port: number, raw: Uint8Array): Promise<Answered | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, 'localhost')
    const chunks: Buffer[] = []
    const end = () => {
      clearTimeout(timer)
      socket.destroy()
      const text = Buffer.concat(chunks).toString('latin1')
      const [, status] = /^HTTP\/1\.1 (\d{3})/.exec(text) ?? []
      resolve(status === undefined ? undefined : { status: Number(status), headers: {}, text })
    }
    const timer = setTimeout(end, RAW_ANSWER_MS)
    socket.on('data', (chunk) => chunks.push(chunk))
    socket.once('error', end)
    socket.once('close', end)
    socket.write(raw)
  })
}

const SOME_ID = /00000000-0000-4000-8000-000000000000/

/** Paths with an action, and the same with ids of the office. */
async function formsOf(dataFolder: string): Promise<string[]> {
  const rows = await sqliteRows(dataFolder)((found) =>
    found.all<{ id: string }>('select id from documents order by created_at limit 20'),
  )
  const routes = mutatingRoutes()
  const known = rows.flatMap(({ id }) =>
    routes
      .filter((route) => route.startsWith('/dashboard/documents/') && SOME_ID.test(route))
      .map((route) => route.replace(SOME_ID, id)),
  )
  // Ending the session of the sender would only make the other inputs those of a stranger.
  return [...routes, ...known].filter((route) => route !== '/logout')
}

type Description = { paths: Record<string, Record<string, unknown>> }

async function callsOf(origin: string): Promise<{ method: string; path: string }[]> {
  const { text } = await clientOf(origin).get('/api/v1/openapi.json')
  const { paths } = JSON.parse(text) as Description
  return Object.entries(paths).flatMap(([template, methods]) =>
    Object.keys(methods)
      .filter((method) => /^(?:get|post|put|delete)$/.test(method))
      .map((method) => ({
        method: method.toUpperCase(),
        path: template.startsWith('/api') ? template : `/api/v1${template}`,
      })),
  )
}
