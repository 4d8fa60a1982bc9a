import { type RawBuilder, sql } from 'kysely'
import { countEvents, type LogView } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { AuditEvent, canonicalEvent } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { FIRST_LOG, type Log } from '#server/domain/audit/log.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { MORNING } from '#tests/support/builders.ts'

/** As the log would write it at this place, of no office. */
export function anEventAt(seq: number, changes: Partial<AuditEvent> = {}) {
  const event = AuditEvent.parse({
    at: MORNING,
    officeId: null,
    actor: { kind: 'system', name: 'a test' },
    action: 'alert.read',
    subject: { kind: 'nothing' },
    result: 'success',
    ip: '',
    device: '',
    requestId: '',
    details: { number: seq },
    ...changes,
  })
  const canonical = canonicalEvent(seq, event)
  return { canonical, leaf_hash: leafHash(canonical) }
}

/** So many events in a few statements. */
export async function addEvents(db: Database, count: number): Promise<void> {
  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, 'audit 0')
    const start = await countEvents(trx, FIRST_LOG)
    const fixed = { office_id: null, subject_id: null, subject_kind: 'nothing', actor: 'system' }
    for (let from = start; from < start + count; from += 500) {
      const rows = Array.from({ length: Math.min(500, start + count - from) }, (_, index) => {
        const seq = from + index
        return { seq, at: MORNING, action: 'alert.read', ...fixed, ...anEventAt(seq) }
      })
      await trx.insertInto('audit_events').values(rows).execute()
    }
  })
}

const TABLES = ['audit_events', 'audit_checkpoints', 'audit_subtrees']

/** Acts as an attacker with write access to the database: disables the triggers, then makes the changes. */
export async function tamper(db: Database, ...changes: RawBuilder<unknown>[]): Promise<void> {
  const unlocked = TABLES.flatMap((table) =>
    db.dialect === 'postgres'
      ? [sql`alter table ${sql.table(table)} disable trigger user`]
      : ['update', 'delete'].map(
          (verb) => sql`drop trigger if exists ${sql.id(`${table}_refuses_${verb}`)}`,
        ),
  )
  await db.transaction(async (trx) => {
    for (const change of [...unlocked, ...changes]) await change.execute(trx)
  })
}

/** Appends an event to the first log, as its writers would. */
export const addBehind = (seq: number) => {
  const { canonical, leaf_hash: leaf } = anEventAt(seq)
  return sql`insert into audit_events (seq, at, actor, action, subject_kind, canonical, leaf_hash)
    values (${seq}, ${MORNING}, 'system', 'alert.read', 'nothing', ${canonical}, ${leaf})`
}

/** Replaces an event, together with its leaf. */
export const rewriteEvent = (seq: number) => {
  const { canonical, leaf_hash: leaf } = anEventAt(seq, { device: 'de otro' })
  return sql`update audit_events set canonical = ${canonical}, leaf_hash = ${leaf} where seq = ${seq}`
}

/** The event alone: its leaf stays as it was. */
export const changeEvent = (seq: number) => {
  const { canonical } = anEventAt(seq, { device: 'de otro' })
  return sql`update audit_events set canonical = ${canonical} where seq = ${seq}`
}

/** The leaf alone: the event stays as it was. */
export const relabelEvent = (seq: number, leaf: string) =>
  sql`update audit_events set leaf_hash = ${leaf} where seq = ${seq}`

/** Swaps the event `seq` with the next one. */
export const swapEvents = (seq: number) =>
  [
    [seq, -1],
    [seq + 1, seq],
    [-1, seq + 1],
  ].map(([from, to]) => sql`update audit_events set seq = ${to} where seq = ${from}`)

/** Inserts an event at `seq` and renumbers all later ones. */
export const insertEventAt = (seq: number) => {
  const { canonical, leaf_hash: leaf } = anEventAt(seq, { device: 'agregado' })
  return [
    sql`update audit_events set seq = -seq where seq >= ${seq}`,
    sql`update audit_events set seq = 1 - seq where seq < 0`,
    sql`insert into audit_events (seq, at, actor, action, subject_kind, canonical, leaf_hash)
      values (${seq}, ${MORNING}, 'system', 'alert.read', 'nothing', ${canonical}, ${leaf})`,
  ]
}

export const cutAt = (seq: number) => sql`delete from audit_events where seq >= ${seq}`

export const forgetCheckpoints = (size: number) =>
  sql`delete from audit_checkpoints where size > ${size}`

/** The first log, as the database has it at the beginning. */
export const FIRST: Log = {
  ...{ number: FIRST_LOG, id: '00000000-0000-0000-0000-000000000000' },
  ...{ officeId: null, follows: null, openedAt: null, closedAt: null },
}

/** What an office reads that has no log of its own. */
export const viewOf = (officeId: OfficeId): LogView => ({
  officeId,
  own: FIRST_LOG,
  hasFirst: true,
})
