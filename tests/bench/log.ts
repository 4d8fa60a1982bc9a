import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import pg from 'pg'
import { openDatabase } from '#server/db/database.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { officeWithLog } from '#tests/support/office/log-writers.ts'
import { startPostgresServer } from '#tests/support/postgres-server.ts'
import type { Load, Work } from './append-load.ts'
import { type Figure, median } from './figures.ts'
import { ROOT } from './measured-process.ts'

const section = 'Bitácora en PostgreSQL, por segundo'
const OFFICES = 16
const WRITERS = 32
const ROUNDS = 3
const [WARM_UP_MS, DURATION_MS] = [500, 2000]

/** What one round measures, each on the same server and right after the other. */
type Round = Record<(typeof MEASURED)[number][0], number>

/** The name of each, how many processes do what, and at how many offices. */
const MEASURED = [
  ['row', 1, 'row', 1],
  ['view', 1, 'view', 1],
  ['viewInTwo', 2, 'view', 1],
  ['views', 1, 'view', OFFICES],
  ['event', 1, 'event', 1],
  ['eventInTwo', 2, 'event', 1],
  ['events', 1, 'event', OFFICES],
  ['change', 1, 'change and row', 1],
  ['changeOfOne', 1, 'change and event', 1],
  ['changes', 1, 'change and event', OFFICES],
] as const satisfies [string, number, Work, number][]

/**
 * Appends to the log in a second, as a share of inserts of such a row without any log, by as many writers: events that
 * stand alone, and events of a change; at one office and at sixteen; and by two processes as a share of one.
 */
export async function measureLog(): Promise<Figure[]> {
  const { url, stop } = await startPostgresServer()
  try {
    const database = `${url}bench`
    await run(`${url}postgres`, 'create database bench template template_rubrica')
    const offices = await prepare(database)
    const rounds: Round[] = []
    for (let round = 0; round < ROUNDS; round += 1) rounds.push(await measure(database, offices))
    return figuresOf(rounds)
  } finally {
    await stop()
  }
}

async function prepare(database: string): Promise<Office[]> {
  const db = openDatabase(database)
  const offices: Office[] = []
  for (let number = 1; number <= OFFICES; number += 1) offices.push(await officeWithLog(db, number))
  await db.close()
  await run(
    database,
    `create table bench_events (like audit_events including all);
     create sequence bench_seq;
     create table bench_counters (writer bigint primary key, count bigint not null)`,
  )
  return offices
}

async function measure(database: string, offices: Office[]): Promise<Round> {
  const round: Partial<Round> = {}
  for (const [name, processes, work, count] of MEASURED)
    round[name] = await perSecond(database, processes, { work, offices: offices.slice(0, count) })
  return round as Round
}

/** The sum of what so many processes do at once, with as many writers each. */
async function perSecond(
  database: string,
  processes: number,
  { work, offices }: Pick<Load, 'work' | 'offices'>,
): Promise<number> {
  const children = Array.from({ length: processes }, () =>
    fork(path.join(ROOT, 'tests/bench/append-load.ts'), { cwd: ROOT, serialization: 'advanced' }),
  )
  await run(
    database,
    `insert into bench_counters select pid * 1000 + writer, 0
     from unnest(array[${children.map(({ pid }) => pid).join()}]::bigint[]) as pid, generate_series(0, ${WRITERS - 1}) as writer
     on conflict do nothing`,
  )
  const each = children.map(async (child) => {
    child.send({
      ...{ database, work, offices, writers: WRITERS },
      ...{ warmUpMs: WARM_UP_MS, durationMs: DURATION_MS },
    } satisfies Load)
    const [result] = await Promise.race([
      once(child, 'message'),
      once(child, 'exit').then(([code]) => {
        throw new Error(`a process of the bench ended with ${code}`)
      }),
    ])
    return Number(result)
  })
  try {
    return (await Promise.all(each)).reduce((sum, one) => sum + one, 0)
  } finally {
    for (const child of children) child.kill()
  }
}

function figuresOf(rounds: readonly Round[]): Figure[] {
  const middle = (of: (round: Round) => number) => median(rounds.map(of))
  const rate = (name: string, of: (round: Round) => number): Figure => ({
    ...{ section, name, value: middle(of), unit: '/s' },
  })
  const share = (name: string, of: (round: Round) => number, atLeast?: number): Figure => ({
    ...{ section, name, value: middle(of), unit: '×' },
    ...(atLeast !== undefined && { atLeast }),
  })
  return [
    rate('insert of a row without a log', ({ row }) => row),
    rate('views at one office', ({ view }) => view),
    share('the same, to inserts', ({ view, row }) => view / row, 0.25),
    share('views at sixteen offices, to inserts', ({ views, row }) => views / row, 0.5),
    share('views by two processes, to one', ({ viewInTwo, view }) => viewInTwo / view, 1),
    rate('transactions with one event, at one office', ({ event }) => event),
    share('the same, to inserts', ({ event, row }) => event / row, 0.25),
    share('the same at sixteen offices, to inserts', ({ events, row }) => events / row, 0.5),
    share('the same by two processes, to one', ({ eventInTwo, event }) => eventInTwo / event, 1),
    rate('change of a row and insert without a log', ({ change }) => change),
    rate('change of a row and its event, at one office', ({ changeOfOne }) => changeOfOne),
    share('the same, to those without a log', ({ changeOfOne, change }) => changeOfOne / change),
    share('the same at sixteen offices', ({ changes, change }) => changes / change),
  ]
}

async function run(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
