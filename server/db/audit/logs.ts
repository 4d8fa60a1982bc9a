import { sql } from 'kysely'
import type { LogRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  behindLog,
  FIRST_LOG,
  Log,
  type LogNumber,
  type LogPosition,
  positionOf,
  seqAt,
} from '#server/domain/audit/log.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** What an office reads: its own log, and what happened in the first log before it had one. */
export type LogView = {
  officeId: OfficeId
  own: LogNumber
  /** Whether also the first log is the office's, with its events of no office. */
  hasFirst: boolean
}

/** Every log, by number; most installations have one. */
export async function listLogs(db: Reader): Promise<Log[]> {
  const rows = await db.selectFrom('logs').selectAll().orderBy('number').execute()
  return rows.map(toLog)
}

export async function findLog(db: Reader, number: LogNumber): Promise<Log | undefined> {
  const query = db.selectFrom('logs').selectAll().where('number', '=', number)
  const row = await query.executeTakeFirst()
  return row && toLog(row)
}

/** The log to which events of this office are appended: its own, or the installation's. */
export async function findOpenLog(db: Reader, officeId: OfficeId | null): Promise<Log> {
  const ofInstallation = openLogs(db).where('office_id', 'is', null)
  const query =
    officeId === null
      ? ofInstallation
      : openLogs(db).where('office_id', '=', officeId).unionAll(ofInstallation)
  const rows = await query.execute()
  const row = rows.find((one) => one.office_id === officeId) ?? rows[0]
  if (!row) throw new Error('the installation has no open log')
  return toLog(row)
}

const openLogs = (db: Reader) => db.selectFrom('logs').selectAll().where('closed_at', 'is', null)

export async function findLogView(db: Reader, officeId: OfficeId): Promise<LogView> {
  const { number, follows } = await findOpenLog(db, officeId)
  return { officeId, own: number, hasFirst: number === FIRST_LOG || follows === FIRST_LOG }
}

/** The log to which events of this office are appended, and the number of its events. */
export async function findEnd(
  trx: Transaction,
  officeId: OfficeId | null,
): Promise<{ log: LogNumber; events: number }> {
  const { number: log } = await findOpenLog(trx, officeId)
  return { log, events: await countEvents(trx, log) }
}

/** Number of events of a log: the last one's plus one. */
export async function countEvents(db: Reader, log: LogNumber): Promise<number> {
  const { last } = await db
    .selectFrom('logs')
    .where('number', '=', log)
    .select(lastPositionOf(log).as('last'))
    .executeTakeFirstOrThrow()
  return countUpTo(last)
}

const lastPositionOf = (log: LogNumber) =>
  sql<LogPosition | null>`(select max(seq) from audit_events where seq >= ${positionOf(log, 0)} and seq < ${behindLog(log)})`

const countUpTo = (last: LogPosition | null) => (last === null ? 0 : seqAt(last) + 1)

export async function insertLog(trx: Transaction, log: Omit<Log, 'number'>): Promise<Log> {
  const { last } = await trx
    .selectFrom('logs')
    .select(({ fn }) => fn.max<number>('number').as('last'))
    .executeTakeFirstOrThrow()
  const opened = { ...log, number: Number(last) + 1 }
  await trx.insertInto('logs').values(toRow(opened)).execute()
  return opened
}

export async function closeLog(trx: Transaction, number: LogNumber, at: Instant): Promise<void> {
  await trx.updateTable('logs').set({ closed_at: at }).where('number', '=', number).execute()
}

/** In SQL, where the number of a log is a column. */
const ROOM = sql.lit(behindLog(FIRST_LOG))

/** When the last event of each open log happened; logs without any are absent. */
export async function listLastEventTimes(db: Reader): Promise<Instant[]> {
  const rows = await db
    .selectFrom('logs')
    .where('closed_at', 'is', null)
    .select(
      sql<Instant | null>`(select at from audit_events where seq >= logs.number * ${ROOM}
        and seq < (logs.number + 1) * ${ROOM} order by seq desc limit 1)`.as('at'),
    )
    .execute()
  return rows.flatMap(({ at }) => (at === null ? [] : [at]))
}

/** How many events of open logs no checkpoint covers yet: one query, whatever the number of offices. */
export async function countUnsigned(db: Reader): Promise<number> {
  const begin = sql`logs.number * ${ROOM}`
  const end = sql`(logs.number + 1) * ${ROOM}`
  const last = sql`(select max(seq) from audit_events where seq >= ${begin} and seq < ${end})`
  const signed = sql`(select max(size) from audit_checkpoints where size >= ${begin} and size < ${end})`
  const { unsigned } = await db
    .selectFrom('logs')
    .where('closed_at', 'is', null)
    .select(
      sql<number>`sum(coalesce(${last} + 1, ${begin}) - coalesce(${signed}, ${begin}))`.as(
        'unsigned',
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(unsigned)
}

const toLog = (row: LogRow): Log =>
  Log.parse({
    ...{ number: row.number, id: row.id, officeId: row.office_id, follows: row.follows },
    ...{ openedAt: row.opened_at, closedAt: row.closed_at },
  })

const toRow = ({ number, id, officeId, follows, openedAt, closedAt }: Log): LogRow => ({
  ...{ number, id, office_id: officeId, follows },
  ...{ opened_at: openedAt, closed_at: closedAt },
})
