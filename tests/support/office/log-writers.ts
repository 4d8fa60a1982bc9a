import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { NewEvent } from '#server/db/audit/audit-events.ts'
import { insertLog } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { AuditEvent, canonicalEvent, parseCanonicalEvent } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { type LogNumber, logAt, positionOf, seqAt } from '#server/domain/audit/log.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { asPerson, aUser, MORNING, storedOffice } from '#tests/support/builders.ts'

/** A view of the log by a user of the office. @param count tells it apart from other events */
export function aView(office: Office, writer = 'a', count = 0): NewEvent {
  return {
    ...{ actor: asPerson(aUser(office)), at: MORNING, action: 'audit.viewed' },
    ...{ subject: { kind: 'nothing' }, details: { writer, count } },
  }
}

/** An office with a log of its own. */
export async function officeWithLog(db: Database, number: number): Promise<Office> {
  const office = await storedOffice(db, { number })
  await db.transaction((trx) =>
    insertLog(trx, {
      ...{ id: randomUUID(), officeId: office.id, follows: null },
      ...{ openedAt: MORNING, closedAt: null },
    }),
  )
  return office
}

/**
 * The events of each log, in their order.
 *
 * @throws {Error} if a log has a gap, an event says another number than it has, or a hash is not that of its bytes
 */
export async function soundLogs(db: Database): Promise<Map<LogNumber, AuditEvent[]>> {
  const rows = await db.selectFrom('audit_events').selectAll().orderBy('seq').execute()
  const logs = new Map<LogNumber, AuditEvent[]>()
  for (const { seq: position, canonical, leaf_hash: hash } of rows) {
    const events = logs.get(logAt(position)) ?? []
    const { seq, event } = parseCanonicalEvent(canonical)
    if (seqAt(position) !== events.length) throw new Error(`a gap before ${position}`)
    if (seq !== events.length) throw new Error(`${position} says that it is ${seq}`)
    if (leafHash(canonical) !== hash) throw new Error(`${position} has another hash`)
    if (Buffer.compare(canonicalEvent(seq, event), canonical) !== 0)
      throw new Error(`${position} is not canonical`)
    logs.set(logAt(position), [...events, event])
  }
  return logs
}

/** The numbers that each writer gave to its events, in the order of the log. */
export function countsOf(events: readonly AuditEvent[]): Record<string, number[]> {
  const counts: Record<string, number[]> = {}
  for (const { details } of events) {
    const writer = String(details.writer)
    counts[writer] = [...(counts[writer] ?? []), Number(details.count)]
  }
  return counts
}

/**
 * Appends as releases before the schema 0070 do on PostgreSQL: the lock, the last position and the row are statements of
 * their own, and the hash is made by the process.
 */
export async function appendAsBefore(
  trx: Transaction,
  officeId: OfficeId,
  event: AuditEvent,
): Promise<void> {
  for (;;) {
    const open = await trx
      .selectFrom('logs')
      .select(['number', 'office_id'])
      .where('closed_at', 'is', null)
      .where((where) =>
        where.or([where('office_id', '=', officeId), where('office_id', 'is', null)]),
      )
      .execute()
    const { number: log } = open.find((one) => one.office_id === officeId) ?? open[0]!
    await sql`select pg_advisory_xact_lock(hashtextextended(${`audit ${log}`}, 0))`.execute(trx)
    const { closed_at: closedAt, last } = await trx
      .selectFrom('logs')
      .where('number', '=', log)
      .select([
        'closed_at',
        sql<number | null>`(select max(seq) from audit_events
          where seq >= ${positionOf(log, 0)} and seq < ${positionOf(log + 1, 0)})`.as('last'),
      ])
      .executeTakeFirstOrThrow()
    if (closedAt !== null) continue
    const seq = last === null ? 0 : seqAt(last) + 1
    const canonical = canonicalEvent(seq, event)
    await trx
      .insertInto('audit_events')
      .values({
        ...{ seq: positionOf(log, seq), office_id: officeId, at: event.at, actor: 'system' },
        ...{ action: event.action, subject_kind: 'nothing', subject_id: null },
        ...{ canonical, leaf_hash: leafHash(canonical) },
      })
      .execute()
    return
  }
}

/** As `aView`, of an earlier release. */
export function aSystemEvent(officeId: OfficeId, writer: string, count: number): AuditEvent {
  return AuditEvent.parse({
    ...{ at: MORNING, officeId, actor: { kind: 'system', name: 'a test' }, action: 'alert.read' },
    ...{ subject: { kind: 'nothing' }, result: 'success', ip: '', device: '', requestId: '' },
    details: { writer, count },
  })
}
