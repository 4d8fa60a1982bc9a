import type { Database } from '#server/db/database.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { AuditEventRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import {
  type AuditActor,
  AuditEvent,
  type AuditSubject,
  parseCanonicalEvent,
} from '#server/domain/audit/event.ts'
import {
  behindLog,
  type LogNumber,
  type LogPosition,
  logAt,
  positionOf,
  seqAt,
} from '#server/domain/audit/log.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { type OfficeId, Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { appendAtEnd } from './events-at-end.ts'
import { appendStatement, appendToLogs, findingColumns, type Place } from './log-end.ts'

/** An event as a use case reports it; the actor, address and device come from `actor`. */
export type NewEvent = {
  actor: Actor
  at: Instant
  action: AuditEvent['action']
  subject: AuditSubject
  /** `success` when absent. */
  result?: AuditEvent['result']
  details?: AuditEvent['details']
  /** Defaults to the person's office; required if an anonymous actor affects an office. */
  officeId?: OfficeId | null
}

/** An event with its place: `seq` counts from 0 in its log, `position` is unique among all logs. */
export type RecordedEvent = AuditEvent & { seq: number; position: LogPosition; leafHash: Sha256 }

/**
 * Appends one event when the transaction commits whose change it reports; it may be called anywhere in it. The log is
 * locked only while the database runs the commit.
 */
export async function appendEvent(trx: Transaction, input: NewEvent): Promise<void> {
  await appendAtEnd(trx, [eventFrom(input)])
}

/** Appends several events in this order, with the commit of the transaction. */
export async function appendEvents(trx: Transaction, inputs: readonly NewEvent[]): Promise<void> {
  await appendAtEnd(trx, inputs.map(eventFrom))
}

/** Appends an event of the command line, a job or the demo, with the commit of the transaction. */
export async function appendSystemEvent(trx: Transaction, event: SystemEvent): Promise<void> {
  await appendAtEnd(trx, [systemEventFrom(event)])
}

/** The same at once, for a transaction that goes on with the log. Other writers of the log wait from here to its end. */
export async function appendSystemEventNow(trx: Transaction, event: SystemEvent): Promise<void> {
  await appendToLogs(trx, [systemEventFrom(event)])
}

type SystemEvent = Omit<AuditEvent, 'actor' | 'ip' | 'device' | 'requestId'> & { by: string }

function systemEventFrom({ by, ...rest }: SystemEvent): AuditEvent {
  const origin = { ip: '', device: '', requestId: '' }
  return AuditEvent.parse({ ...rest, ...origin, actor: { kind: 'system', name: by } })
}

/**
 * Appends events in a transaction of their own.
 *
 * @param take is asked for the events when a connection is free, and again if the database runs the transaction again
 * @throws {Problem} `commit-unknown`
 */
export async function appendAlone(
  db: Pick<Database, 'dialect' | 'transaction' | 'executeAlone'>,
  take: () => readonly AuditEvent[],
): Promise<RecordedEvent[]> {
  if (db.dialect === 'sqlite')
    return await db.transaction(async (trx) => {
      const events = take()
      return recordedAt(await appendToLogs(trx, events), events)
    })
  return await db.executeAlone(() => {
    const events = take()
    const { statement, placesIn } = appendStatement(events)
    return { statement, read: (rows) => recordedAt(placesIn(rows), events) }
  })
}

const recordedAt = (places: readonly Place[], events: readonly AuditEvent[]): RecordedEvent[] =>
  places.map((place, index) => ({ ...events[index]!, ...place, seq: seqAt(place.position) }))

/** The event of this kind that happened to the subject at this instant. */
export async function findEventAt(
  db: Reader,
  { officeId, action, at, subjectId }: EventAt,
): Promise<RecordedEvent | undefined> {
  const row = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('action', '=', action)
    .where('at', '=', at)
    .where('subject_id', '=', subjectId)
    .executeTakeFirst()
  return row && toRecorded(row)
}

type EventAt = Pick<AuditEvent, 'action' | 'at'> & { officeId: OfficeId; subjectId: string }

/**
 * The canonical bytes, position and leaf hash of an event, as stored. Not verified: the database's owner may
 * have replaced the hash.
 */
export type StoredLeaf = {
  log: LogNumber
  seq: number
  canonical: Uint8Array
  leafHash: string
}

/**
 * The last events about one subject with one of these actions, oldest first. Reads no others: strangers add to those
 * about a document whenever they look at it.
 *
 * @param turn is awaited between two queries; must await nothing inside of a transaction
 */
export async function listLeaves(
  db: Reader,
  about: { officeId: OfficeId; subjectId: string },
  asked: { actions: readonly AuditEvent['action'][]; limit: number },
  turn: () => Promise<void>,
): Promise<StoredLeaf[]> {
  const positions = await listPositions(db, about, asked, turn)
  const rows = await inChunks(positions, async (chunk) => {
    await turn()
    return await db
      .selectFrom('audit_events')
      .select(['seq', 'canonical', 'leaf_hash'])
      .where('seq', 'in', chunk)
      .where(unindexed<string>('office_id'), '=', about.officeId)
      .execute()
  })
  return rows.toSorted((one, other) => one.seq - other.seq).map(toLeaf)
}

/** The positions of these events, last first, by one query for each action: an index has them. */
async function listPositions(
  db: Reader,
  { subjectId }: { subjectId: string },
  { actions, limit }: { actions: readonly AuditEvent['action'][]; limit: number },
  turn: () => Promise<void>,
): Promise<number[]> {
  let positions: number[] = []
  for (const action of actions) {
    await turn()
    const rows = await db
      .selectFrom('audit_events')
      .select('seq')
      .where('subject_id', '=', subjectId)
      .where('action', '=', action)
      .where('seq', '>', positions[limit - 1] ?? -1)
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute()
    const found = [...positions, ...rows.map(({ seq }) => seq)]
    positions = found.toSorted((one, other) => other - one).slice(0, limit)
  }
  return positions
}

const toLeaf = ({ seq: position, canonical, leaf_hash: hash }: LeafRow): StoredLeaf => ({
  log: logAt(position),
  seq: seqAt(position),
  canonical: new Uint8Array(canonical),
  leafHash: hash,
})

type LeafRow = Pick<AuditEventRow, 'seq' | 'canonical' | 'leaf_hash'>

/** Events of a log from number `from` on, in their order. */
export async function listStoredLeaves(
  db: Reader,
  log: LogNumber,
  { from, limit }: { from: number; limit: number },
): Promise<StoredLeaf[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('seq', '>=', positionOf(log, from))
    .where('seq', '<', behindLog(log))
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toLeaf)
}

/** When the first event of the installation happened; undefined before it. */
export async function findFirstEventTime(db: Reader): Promise<Instant | undefined> {
  const row = await db
    .selectFrom('audit_events')
    .select('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.at
}

/** The event with its origin. @throws {Error} if it is not well formed */
export function eventFrom(input: NewEvent): AuditEvent {
  const { actor, at, action, subject } = input
  const officeOfActor = actor.kind === 'anonymous' ? null : actor.officeId
  return AuditEvent.parse({
    at,
    officeId: input.officeId === undefined ? officeOfActor : input.officeId,
    actor: auditActorOf(actor),
    action,
    subject,
    result: input.result ?? 'success',
    ip: actor.ip,
    device: actor.device,
    requestId: actor.requestId,
    details: input.details ?? {},
  } satisfies AuditEvent)
}

function auditActorOf(actor: Actor): AuditActor {
  switch (actor.kind) {
    case 'anonymous':
      return { kind: 'anonymous' }
    case 'guest':
      return { kind: 'guest', signerId: actor.signerId, name: actor.name }
    case 'person':
      return {
        kind: 'person',
        userId: actor.userId,
        sessionId: actor.sessionId,
        name: fullName(actor),
      }
  }
}

/**
 * Of the events of a log from number `from` on, those that are not found as what they are: their columns are no copies of
 * their canonical bytes.
 *
 * @returns their numbers, and how many events were read
 */
export async function findMisfiled(
  db: Reader,
  log: LogNumber,
  { from, limit }: { from: number; limit: number },
): Promise<{ misfiled: number[]; read: number }> {
  const rows = await db
    .selectFrom('audit_events')
    .selectAll()
    .where('seq', '>=', positionOf(log, from))
    .where('seq', '<', behindLog(log))
    .orderBy('seq')
    .limit(limit)
    .execute()
  const misfiled = rows.filter((row) => !isFiled(row)).map(({ seq }) => seqAt(seq))
  return { misfiled, read: rows.length }
}

function isFiled(row: AuditEventRow): boolean {
  try {
    const columns = Object.entries(findingColumns(parseCanonicalEvent(row.canonical).event))
    return columns.every(([name, value]) => row[name as keyof AuditEventRow] === value)
  } catch {
    return false
  }
}

/* Reads the canonical bytes, which are authoritative: the columns only find the row. */
export function toRecorded(row: AuditEventRow): RecordedEvent {
  const { seq, event } = parseCanonicalEvent(row.canonical)
  const { seq: position } = row
  if (seq !== seqAt(position)) throw new Error(`audit event ${position} says that it is ${seq}`)
  return { ...event, seq, position, leafHash: Sha256.parse(row.leaf_hash) }
}
