import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { type Balancer, startBalancer } from '#tests/support/processes/balancer.ts'
import {
  environmentOf,
  type OfficePlace,
  withRowsOf,
} from '#tests/support/processes/office-rows.ts'
import {
  nothingYet,
  signersOf,
  signRemaining,
  workOf,
} from '#tests/support/processes/office-work.ts'
import { copyFolder } from '#tests/support/processes/prepared-demo.ts'
import {
  freePort,
  type ServerProcess,
  startRefused,
  startServer,
} from '#tests/support/processes/server-process.ts'
import { faultsOf } from '#tests/support/processes/sound-office.ts'

/*
 * Two machines behind one address: two processes of the production server with a data folder each, one PostgreSQL and one S3
 * store. While several users sign, one process after the other is killed.
 */

const MACHINES = 2
const ROUNDS = 3
/** After the first signature: about the duration of the next ones. */
const LONGEST_LIFE_MS = 1_500
const root = path.resolve(import.meta.dirname, '../../..')

let folder: string
let services: Services
let balancer: Balancer
let ports: number[]
let places: OfficePlace[]
const machines: ServerProcess[] = []

type Services = { variables: Record<string, string>; stop(): Promise<void> }

test.beforeAll(async () => {
  test.setTimeout(240_000)
  folder = mkdtempSync(path.join(tmpdir(), 'rubrica-fleet-'))
  services = await startServices()
  ports = await Promise.all(Array.from({ length: MACHINES }, freePort))
  balancer = await startBalancer(ports)
  const { DATABASE_URL: databaseUrl = '', ...store } = services.variables
  places = ports.map((_, index) => ({ dataFolder: dataFolderOf(index), databaseUrl, store }))
})
test.afterAll(async () => {
  for (const machine of machines) await machine.stop()
  balancer?.close()
  await services?.stop()
  rmSync(folder, { recursive: true, force: true })
})

function dataFolderOf(machine: number): string {
  const dataFolder = path.join(folder, `machine-${machine + 1}`)
  mkdirSync(dataFolder, { mode: 0o700 })
  return dataFolder
}

async function startServices(): Promise<Services> {
  const program = path.join(root, 'tests/support/processes/fleet-services.ts')
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', program], {
    cwd: root,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const lines = createInterface({ input: child.stdout })
  for await (const line of lines) return { variables: JSON.parse(line), stop: () => ended(child) }
  throw new Error('the services of the fleet did not start')
}

const ended = (child: ChildProcess) =>
  new Promise<void>((resolve) => {
    child.once('exit', () => resolve())
    child.stdin?.end()
  })

const environmentAt = (machine: number) => ({
  ...environmentOf(places[machine]!),
  PORT: String(ports[machine]),
  PUBLIC_ORIGIN: `http://localhost:${balancer.port}`,
})

const begin = (machine: number) => startServer('demo', environmentAt(machine))

/** What step 3 of docs/several-machines.md says; the demo has its authorities in a folder, too. */
function copyKeys(): void {
  const [first, ...others] = places
  for (const other of others)
    for (const name of ['secrets', 'demo']) {
      const target = path.join(other.dataFolder, name)
      mkdirSync(target, { mode: 0o700 })
      copyFolder(path.join(first!.dataFolder, name), target)
    }
}

test('two machines: any may be killed while users sign, and nothing is lost, doubled or bought twice', async () => {
  test.setTimeout(400_000)
  const withRows = withRowsOf(places[0]!)
  machines.push(await begin(0))
  const refused = await startRefused({ ...environmentAt(1), LOG_LEVEL: 'warn' })
  expect(refused).toMatchObject({ code: 2, said: expect.stringContaining('Falta') })
  copyKeys()
  machines.push(await begin(1))

  const origin = `http://localhost:${balancer.port}`
  const done = nothingYet()
  const signers = await signersOf(origin, places[0]!.dataFolder, withRows)
  for (let round = 0; round < ROUNDS; round += 1) {
    const isOver = { value: false }
    const before = done.signed.length
    const work = Promise.allSettled(workOf(signers, done, isOver))
    await expect.poll(() => done.signed.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await pause(Math.random() * LONGEST_LIFE_MS)
    const killed = round % MACHINES
    await machines[killed]!.kill()
    isOver.value = true
    await work
    machines[killed] = await begin(killed)
  }
  expect(await signRemaining(withRows, signers, done)).toEqual([])
  const [stamped, before] = [balancer.count(STAMP), await count(ARCHIVED)]
  await withRows((rows) => rows.change(ALL_DUE, Date.now(), Date.now()))
  await expect.poll(() => count(WAITING), { timeout: 150_000 }).toBe(0)
  // A signature without a timestamp gets one in a version of its own first.
  const archived = (await count(ARCHIVED)) - before
  expect(archived).toBeGreaterThan(5)
  expect(balancer.count(STAMP) - stamped).toBe(archived)
  for (const machine of machines) await machine.stop()
  expect(await faultsOf(places[0]!, done)).toEqual([])
  console.log(
    `two machines: ${done.signed.length} signatures, ${ROUNDS} kills, ${archived} versions archived afterwards and as many timestamps`,
  )
})

/** What the demo's own authority is asked with. */
const STAMP = 'POST /demo/tsa'
const ALL_DUE = "update archives set due_at = ?, holds_until = ? where state = 'waiting'"

const WAITING = "select count(*) as count from archives where state = 'waiting'"
const ARCHIVED = "select count(*) as count from audit_events where action = 'document.archived'"

const count = (statement: string) =>
  withRowsOf(places[0]!)(async (rows) => {
    const [row] = await rows.all<{ count: number }>(statement)
    return row?.count ?? Number.NaN
  })
