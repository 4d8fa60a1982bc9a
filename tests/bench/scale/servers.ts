import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { FullOffice } from '#tests/support/office/full-office.ts'
import { MEMORY_FLAGS } from '#tests/support/processes/memory-flags.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'
import { withClient } from '#tests/support/with-client.ts'

/** A production server with an office of a chosen size. */
export type Running = {
  server: ServerProcess
  office: FullOffice
  origin: string
  metrics: string
  environment: Environment
  /** From the start of the process to the first answer. */
  startMs: number
}

type Environment = { DATA_DIR: string; DATABASE_URL?: string }

const EVENTS_A_DOCUMENT = 10
const ROOT = path.resolve(import.meta.dirname, '../../..')
const QUIET = ['--disable-warning=ExperimentalWarning', '--max-old-space-size=4096']

/**
 * Starts a server on the office with so many documents, which is filled before unless the folder holds it.
 *
 * @param postgres address of the PostgreSQL server, ending in a slash; without it the database is SQLite
 */
export async function startOffice(
  folder: string,
  documents: number,
  postgres?: string,
): Promise<Running> {
  const dataFolder = path.join(folder, `${postgres ? 'postgres' : 'sqlite'}-${documents}`)
  mkdirSync(dataFolder, { recursive: true })
  const databaseUrl = postgres && `${postgres}scale_${documents}`
  const environment = { DATA_DIR: dataFolder, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
  return await startOn(environment, await fill(environment, documents, postgres))
}

/** Another process on the same office. */
export const startBeside = ({ environment, office }: Running): Promise<Running> =>
  startOn(environment, office)

async function startOn(environment: Environment, office: FullOffice): Promise<Running> {
  const [port, metricsPort] = [await freePort(), await freePort()]
  const variables = { PORT: String(port), METRICS_PORT: String(metricsPort), LOG_LEVEL: 'warn' }
  const began = performance.now()
  const server = await startServer(
    'start',
    { ...variables, ...environment },
    { flags: MEMORY_FLAGS },
  )
  const origin = `http://localhost:${port}`
  await (await fetch(`${origin}/login`)).text()
  return {
    ...{ server, office, origin, environment, startMs: performance.now() - began },
    metrics: `http://127.0.0.1:${metricsPort}/metrics`,
  }
}

async function fill(
  environment: Environment,
  documents: number,
  postgres: string | undefined,
): Promise<FullOffice> {
  const answer = path.join(environment.DATA_DIR, 'office.json')
  const isNew = !existsSync(answer)
  if (isNew && postgres)
    await withClient(`${postgres}postgres`, (client) =>
      client.query(`create database scale_${documents}`),
    )
  const program = path.join(ROOT, 'tests/support/processes/prepare-large-office.ts')
  const size = [String(documents), String(documents * EVENTS_A_DOCUMENT)]
  const began = performance.now()
  execFileSync(process.execPath, [...QUIET, program, environment.DATA_DIR, ...size, answer], {
    ...{ stdio: 'inherit', env: { ...process.env, ...environment } },
  })
  // What PostgreSQL does by itself some minutes after so many rows.
  const { DATABASE_URL } = environment
  if (isNew && DATABASE_URL)
    await withClient(DATABASE_URL, (client) => client.query('vacuum analyze'))
  const took = (performance.now() - began) / 1000
  console.error(`  ${documents} documents ${isNew ? 'filled' : 'kept'} in ${took.toFixed(0)} s`)
  return JSON.parse(readFileSync(answer, 'utf8'))
}

/** Milliseconds of processor time that the process has used. */
export function processorTime({ server }: Running): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Megabytes of memory that the process has now. */
export const memoryOf = ({ server }: Running): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]) / 1024

/** How long the answer to a GET takes. @throws {Error} for any other status than 200 */
export async function timeOf(
  { origin }: Running,
  address: string,
  cookie: string,
): Promise<number> {
  const began = performance.now()
  const response = await fetch(origin + address, { headers: { cookie }, redirect: 'manual' })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${address}: ${response.status}`)
  return performance.now() - began
}
