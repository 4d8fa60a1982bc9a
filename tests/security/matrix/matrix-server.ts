import { readFileSync } from 'node:fs'
import path from 'node:path'
import Database from 'better-sqlite3'
import { fillFolder } from '#tests/support/processes/fill-folder.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'
import { WORLD_FILE, type World } from './world.ts'

export const PUBLIC_ORIGIN = 'https://rubrica.test'

/** A production server on an office that every request finds as the first one found it. */
export type MatrixServer = {
  address: string
  world: World
  server: ServerProcess
  /** Every row that differs from the beginning, without the log: `users: 1 changed`. */
  changes(): string[]
  /** The events since the beginning, as `access.refused refused`. */
  events(): string[]
  /** The tables in which a text stands anywhere, the log included. */
  find(text: string): string[]
  /** Sets all rows back, if there was a change. */
  restore(): Promise<void>
  stop(): Promise<void>
}

export async function startMatrixServer(): Promise<MatrixServer> {
  const port = await freePort()
  const environment = { PUBLIC_ORIGIN, TRUST_PROXY: '127.0.0.1' }
  const seeding = 'tests/security/matrix/seed-world.ts'
  const server = await startServer(
    'start',
    { PORT: String(port), ...environment },
    { fill: (folder) => fillFolder(seeding, { ...environment, DATA_DIR: folder }) },
  )
  const world: World = JSON.parse(readFileSync(path.join(server.dataFolder, WORLD_FILE), 'utf8'))
  const rows = await watchRows(server.dataFolder)
  return {
    ...{ address: `http://127.0.0.1:${port}`, world, server },
    ...rows,
    async stop() {
      rows.close()
      await server.stop()
    },
  }
}

/** The jobs that run when the server starts are done when nothing was written for so long. */
const QUIET_MS = 2_500
const LONGEST_START_MS = 60_000

async function untilQuiet(source: Database.Database): Promise<void> {
  const version = () => source.pragma('data_version', { simple: true })
  const end = performance.now() + LONGEST_START_MS
  for (let [last, since] = [version(), performance.now()]; performance.now() - since < QUIET_MS; ) {
    if (performance.now() > end) throw new Error('the jobs of the server write without an end')
    await new Promise((resolve) => setTimeout(resolve, 100))
    if (version() !== last) [last, since] = [version(), performance.now()]
  }
}

/**
 * Compares the database with its copy, and puts the copy back: through SQLite, so that the server sees it as one
 * more transaction.
 */
async function watchRows(folder: string) {
  const live = path.join(folder, 'rubrica.sqlite')
  const copy = path.join(folder, 'beginning.sqlite')
  const source = new Database(live, { timeout: 5_000 })
  await untilQuiet(source)
  await source.backup(copy)
  source.prepare('attach ? as beginning').run(copy)
  const kept = new Database(copy)
  // The process that runs the jobs gives signs of life there.
  const everything = source
    .prepare<[], { name: string }>(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%' and name not like 'job\\_%' escape '\\'",
    )
    .all()
    .map(({ name }) => name)
  const tables = everything.filter((name) => !name.startsWith('audit_'))
  const version = () => source.pragma('data_version', { simple: true })
  let seen = version()
  let compared = { version: seen, changes: [] as string[] }
  const all = <T>(sql: string) => source.prepare<[], T>(sql).all()
  /** Each visit may note when a session was last seen. */
  const comparedColumns = (table: string) =>
    all<{ name: string }>(`select name from pragma_table_info('${table}')`)
      .map(({ name }) => name)
      .filter((name) => name !== 'last_seen_at')
      .join()
  // Prepared once: every request is followed by all of them.
  const comparisons = tables.map((table) => {
    const columns = comparedColumns(table)
    const differing = (one: string, other: string) =>
      source
        .prepare<[], number>(
          `select count(*) from (select ${columns} from ${one}.${table} except select ${columns} from ${other}.${table})`,
        )
        .pluck()
    return { table, more: differing('main', 'beginning'), less: differing('beginning', 'main') }
  })
  const newEvents = source
    .prepare<[], Buffer>(
      'select canonical from main.audit_events where seq > (select max(seq) from beginning.audit_events) order by seq',
    )
    .pluck()
  return {
    changes() {
      const now = version()
      if (now === seen) return []
      if (now !== compared.version)
        compared = { version: now, changes: comparisons.flatMap(changesOf) }
      return compared.changes
    },
    events() {
      return newEvents.all().map((canonical) => {
        const { action, result } = JSON.parse(canonical.toString('utf8'))
        return `${action} ${result}`
      })
    },
    find(text: string) {
      if (version() === seen) return []
      return everything.filter((table) =>
        source
          .prepare<[], Record<string, unknown>>(`select * from main.${table}`)
          .all()
          .some((row) => Object.values(row).some((value) => holds(value, text))),
      )
    },
    async restore() {
      if (version() === seen) return
      if (this.changes().length + this.events().length === 0) {
        seen = version()
        return
      }
      await putBack(kept, live)
      seen = version()
    },
    close() {
      kept.close()
      source.close()
    },
  }
}

/** The rows of a table that are not as at the beginning, and those of the beginning that are gone. */
type Comparison = Record<'more' | 'less', Database.Statement<[], number>> & { table: string }

function changesOf({ table, ...rows }: Comparison): string[] {
  const [more, less] = [rows.more.get() ?? 0, rows.less.get() ?? 0]
  return more + less > 0 ? [`${table}: ${more} new or changed, ${less} old`] : []
}

/** A job of the server may hold the database for a moment. */
async function putBack(kept: Database.Database, live: string): Promise<void> {
  for (let tries = 1; ; tries += 1)
    try {
      await kept.backup(live)
      return
    } catch (error) {
      if (tries === MOST_TRIES) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
}

const MOST_TRIES = 40

const holds = (value: unknown, text: string) =>
  typeof value === 'string'
    ? value.includes(text)
    : value instanceof Uint8Array && Buffer.from(value).includes(text)
