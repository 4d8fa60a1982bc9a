import { sql } from 'kysely'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { openEventQueue } from '#server/db/audit/event-queue.ts'
import { openDatabase } from '#server/db/database.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { aView } from '#tests/support/office/log-writers.ts'

/** What a writer does again and again. */
export type Work = 'row' | 'view' | 'event' | 'change and row' | 'change and event'

/** The load of one process. */
export type Load = {
  database: string
  work: Work
  /** The writers take turns at them. */
  offices: Office[]
  writers: number
  warmUpMs: number
  durationMs: number
}

/*
 * Sixteen and more writers of one process, each with one request at a time. Sends how many were answered in a second. A `row` is that of
 * an event, in a table with the same indexes and without a log.
 */
process.once('message', async (load: Load) => {
  const db = openDatabase(load.database)
  const queue = openEventQueue(db)
  const events = load.offices.map((office) => aView(office))
  const event = (writer: number, count: number) => {
    const view = events[writer % events.length]!
    return { ...view, details: { count } }
  }
  const doing: Record<Work, (writer: number, count: number) => Promise<unknown>> = {
    row: (writer) => db.transaction((trx) => insertRow(trx, writer)),
    view: (writer, count) => queue.append(event(writer, count)),
    event: (writer, count) => db.transaction((trx) => appendEvent(trx, event(writer, count))),
    'change and row': (writer) =>
      db.transaction(async (trx) => {
        await change(trx, writer)
        await insertRow(trx, writer)
      }),
    'change and event': (writer, count) =>
      db.transaction(async (trx) => {
        await change(trx, writer)
        await appendEvent(trx, event(writer, count))
      }),
  }
  let answered = 0
  let isOver = false
  const writers = Array.from({ length: load.writers }, async (_, writer) => {
    while (!isOver) await doing[load.work](writer, answered++)
  })
  await pause(load.warmUpMs)
  const [begun, start] = [answered, performance.now()]
  await pause(load.durationMs)
  const perSecond = ((answered - begun) / (performance.now() - start)) * 1000
  isOver = true
  await Promise.all(writers)
  await db.close()
  process.send?.(perSecond)
  process.disconnect()
})

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Each writer has a row of its own. */
const change = (trx: Transaction, writer: number) =>
  sql`update bench_counters set count = count + 1 where writer = ${process.pid * 1000 + writer}`.execute(
    trx,
  )

const insertRow = (trx: Transaction, writer: number) =>
  sql`insert into bench_events (seq, office_id, at, actor, action, subject_kind, subject_id, canonical, leaf_hash)
    values (nextval('bench_seq'), ${`office ${writer}`}, ${Date.now()}, 'a user', 'audit.viewed', 'nothing', null, ${ENTRY}, ${HASH})`.execute(
    trx,
  )

/** As many bytes as an event has. */
const ENTRY = Buffer.alloc(430, 'a')
const HASH = 'a'.repeat(64)
