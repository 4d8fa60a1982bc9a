import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { type Balancer, startBalancer } from './balancer.ts'
import { environmentOf, type OfficePlace, type WithRows, withRowsOf } from './office-rows.ts'
import { copyFolder } from './prepared-demo.ts'
import { freePort, type ServerProcess, startRefused, startServer } from './server-process.ts'

/** Processes of the production server with a data folder each, one PostgreSQL and one S3 store, behind one address. */
export type Fleet = {
  origin: string
  balancer: Balancer
  places: readonly [OfficePlace, ...OfficePlace[]]
  /** Reads and changes the rows of the office. */
  withRows: WithRows
  /** @param release folder of another release, built */
  begin(machine: number, release?: string): Promise<ServerProcess>
  /** Starts a machine that must refuse to. */
  beginRefused(machine: number): ReturnType<typeof startRefused>
  /** Gives every machine the keys of the first one. */
  copyKeys(): void
  /** Ends what the fleet shares, not the machines. */
  close(): Promise<void>
}

/** Of the campaign: how many machines there are. */
export const FLEET = 'FLEET_MACHINES'

const root = path.resolve(import.meta.dirname, '../../..')

export async function setUpFleet(machines: number): Promise<Fleet> {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-fleet-'))
  const services = await startServices()
  const ports = await Promise.all(Array.from({ length: machines }, freePort))
  const balancer = await startBalancer(ports)
  const origin = `http://localhost:${balancer.port}`
  const { DATABASE_URL: databaseUrl = '', ...store } = services.variables
  const placeOf = (machine: number): OfficePlace => ({
    dataFolder: path.join(folder, `machine-${machine + 1}`),
    databaseUrl,
    store,
  })
  const others = Array.from({ length: machines - 1 }, (_, index) => placeOf(index + 1))
  const places = [placeOf(0), ...others] as const
  for (const { dataFolder } of places) mkdirSync(dataFolder, { mode: 0o700 })
  const environmentAt = (machine: number) => ({
    ...environmentOf(placeOf(machine)),
    PORT: String(ports[machine]),
    PUBLIC_ORIGIN: origin,
  })
  return {
    ...{ origin, balancer, places, withRows: withRowsOf(placeOf(0)) },
    begin: (machine, release) =>
      startServer('demo', environmentAt(machine), release ? { release } : {}),
    beginRefused: (machine) => startRefused({ ...environmentAt(machine), LOG_LEVEL: 'warn' }),
    copyKeys: () => copyKeys(places),
    async close() {
      balancer.close()
      await services.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

type Services = { variables: Record<string, string>; stop(): Promise<void> }

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

/** What step 3 of docs/several-machines.md says; the demo has its authorities in a folder, too. */
function copyKeys([first, ...others]: Fleet['places']): void {
  for (const other of others)
    for (const name of ['secrets', 'demo']) {
      const target = path.join(other.dataFolder, name)
      mkdirSync(target, { mode: 0o700 })
      copyFolder(path.join(first.dataFolder, name), target)
    }
}
