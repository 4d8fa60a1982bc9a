import { type RawBuilder, sql } from 'kysely'
import { dialectOf } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  type AuditActor,
  type AuditEvent,
  canonicalEvent,
  canonicalParts,
} from '#server/domain/audit/event.ts'
import { dayNumberOf, figureOf } from '#server/domain/audit/figure.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { type LogPosition, positionOf, seqAt } from '#server/domain/audit/log.ts'
import type { OfficeId, Sha256 } from '#server/domain/ids.ts'
import { countEvent } from './daily-figures.ts'
import { findEnd } from './logs.ts'

/** Where an event was appended. */
export type Place = { position: LogPosition; leafHash: Sha256 }

/**
 * Appends events of one office, or of none, to its open log in this order. Until the transaction ends, all other writers of
 * the log wait.
 *
 * @returns their places, in their order
 */
export async function appendToLog(
  trx: Transaction,
  officeId: OfficeId | null,
  events: readonly AuditEvent[],
): Promise<Place[]> {
  if (dialectOf(trx) === 'sqlite') return await appendRows(trx, officeId, events)
  const { statement, placesIn } = appendStatement(officeId, events)
  return placesIn((await statement.execute(trx)).rows)
}

/** The same for PostgreSQL, as one statement; `placesIn` reads its answer. */
type AppendStatement = {
  statement: RawBuilder<StoredPlace>
  /** @throws {Error} if the database stored other bytes: the next check would find it too late */
  placesIn(rows: readonly StoredPlace[]): Place[]
}

type StoredPlace = { place: LogPosition; hash: string }

/** @see server/db/migrations/0070-append-audit-events.ts */
export function appendStatement(
  officeId: OfficeId | null,
  events: readonly AuditEvent[],
): AppendStatement {
  const parts = events.map(canonicalParts)
  const columns = events.map(findingColumns)
  const statement = sql<StoredPlace>`select place, hash from append_audit_events(
    ${officeId}::text, ${parts.map(({ head }) => head)}::bytea[], ${parts.map(({ tail }) => tail)}::bytea[],
    ${columns.map(({ at }) => at)}::bigint[], ${columns.map(({ actor }) => actor)}::text[],
    ${columns.map(({ action }) => action)}::text[], ${columns.map((one) => one.subject_kind)}::text[],
    ${columns.map((one) => one.subject_id)}::text[],
    ${events.map((event) => figureOf(event) ?? null)}::text[],
    ${events.map(({ at }) => dayNumberOf(at))}::bigint[])`
  return {
    statement,
    placesIn: (rows) =>
      parts.map(({ head, tail }, index) => {
        const { place, hash } = rows[index] ?? fewer()
        const own = leafHash(Buffer.concat([head, Buffer.from(`${seqAt(place)}`), tail]))
        if (own !== hash) throw new Error(`the database stored another event ${place}`)
        return { position: place, leafHash: own }
      }),
  }
}

function fewer(): never {
  throw new Error('the database appended fewer events than it was given')
}

/** SQLite has one writer, and runs each statement without waiting for anything. */
async function appendRows(
  trx: Transaction,
  officeId: OfficeId | null,
  events: readonly AuditEvent[],
): Promise<Place[]> {
  const { log, events: first } = await findEnd(trx, officeId)
  const places: Place[] = []
  for (const [index, event] of events.entries()) {
    const position = positionOf(log, first + index)
    const canonical = canonicalEvent(first + index, event)
    const hash = leafHash(canonical)
    await trx
      .insertInto('audit_events')
      .values({ seq: position, ...findingColumns(event), canonical, leaf_hash: hash })
      .execute()
    await countEvent(trx, event)
    places.push({ position, leafHash: hash })
  }
  return places
}

/** The columns by which pages, exports and evidence packages find an event. */
export const findingColumns = ({ officeId, at, actor, action, subject }: AuditEvent) => ({
  office_id: officeId,
  at,
  actor: actorColumnOf(actor),
  action,
  subject_kind: subject.kind,
  subject_id: subject.kind === 'nothing' ? null : subject.id,
})

/* The id if there is one, so that a person's events can be found. */
function actorColumnOf(actor: AuditActor): string {
  if (actor.kind === 'person') return actor.userId
  return actor.kind === 'guest' ? actor.signerId : actor.kind
}
