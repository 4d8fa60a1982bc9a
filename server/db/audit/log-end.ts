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
import type { Sha256 } from '#server/domain/ids.ts'
import { countEvent } from './daily-figures.ts'
import { findEnd } from './logs.ts'

/** Where an event was appended. */
export type Place = { position: LogPosition; leafHash: Sha256 }

/**
 * Appends events in this order, each to the open log of its office. Until the transaction ends, all other writers of these logs
 * wait.
 *
 * @returns their places, in their order
 */
export async function appendToLogs(
  trx: Transaction,
  events: readonly AuditEvent[],
): Promise<Place[]> {
  if (dialectOf(trx) === 'sqlite') return await appendRows(trx, events)
  const { statement, placesIn } = appendStatement(events)
  return placesIn((await statement.execute(trx)).rows)
}

/** An append on PostgreSQL, as one statement; `placesIn` reads its answer. */
type AppendStatement = {
  statement: RawBuilder<StoredPlace>
  /** @throws {Error} if the database stored other bytes: the next check would find it too late */
  placesIn(rows: readonly StoredPlace[]): Place[]
}

type StoredPlace = { place: LogPosition; hash: string }

/** @see server/db/migrations/0070-append-audit-events.ts */
export function appendStatement(events: readonly AuditEvent[]): AppendStatement {
  const given = events.map(givenTo)
  return {
    statement: sql`select place, hash from append_audit_events(${JSON.stringify(given)}::jsonb)`,
    placesIn: (rows) =>
      given.map(({ head, tail }, index) => {
        const { place, hash } = rows[index] ?? fewer()
        const own = leafHash(new TextEncoder().encode(`${head}${seqAt(place)}${tail}`))
        if (own !== hash) throw new Error(`the database stored another event ${place}`)
        return { position: place, leafHash: own }
      }),
  }
}

function fewer(): never {
  throw new Error('the database appended fewer events than it was given')
}

/** The same as a text without parameters, which can stand before COMMIT. Only hexadecimal digits in it depend on the events. */
export function appendText(events: readonly AuditEvent[]): string {
  const given = Buffer.from(JSON.stringify(events.map(givenTo))).toString('hex')
  return `select count(*) from append_audit_events(convert_from(decode('${given}', 'hex'), 'UTF8')::jsonb)`
}

/** What the function of the database is given of an event. */
const givenTo = (event: AuditEvent) => ({
  ...canonicalParts(event),
  ...findingColumns(event),
  ...{ figure: figureOf(event) ?? null, day: dayNumberOf(event.at) },
})

/** SQLite has one writer, and runs each statement without waiting for anything. */
async function appendRows(trx: Transaction, events: readonly AuditEvent[]): Promise<Place[]> {
  const places: Place[] = []
  for (const event of events) {
    const { log, events: seq } = await findEnd(trx, event.officeId)
    const position = positionOf(log, seq)
    const canonical = canonicalEvent(seq, event)
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
