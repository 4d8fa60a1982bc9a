import { lockUntilCommit } from '#server/db/lock.ts'
import type { AuditEventRow } from '#server/db/tables/log.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  type AuditActor,
  AuditEvent,
  type AuditSubject,
  canonicalEvent,
  parseCanonicalEvent,
} from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { type OfficeId, Sha256, type UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** What a use case tells; who and from where is taken from the actor. */
export type Happening = {
  actor: Actor
  at: Instant
  action: AuditEvent['action']
  subject: AuditSubject
  /** `success` when absent. */
  result?: AuditEvent['result']
  details?: AuditEvent['details']
  /** Of the person when absent; must be given for a stranger's act on something of an office. */
  officeId?: OfficeId | null
}

/** An event at its place in the log. */
export type RecordedEvent = AuditEvent & { seq: number; leafHash: Sha256 }

/**
 * Writes one event, in the same transaction as what it tells. Always the last statement: from here to
 * the end of the transaction all other writers of the log wait.
 */
export async function appendEvent(trx: Transaction, happening: Happening): Promise<RecordedEvent> {
  const event = AuditEvent.parse(toEvent(happening))
  return await append(trx, event)
}

/** Writes what no request did: the command line, a job, the demo office. Always the last statement. */
export async function appendSystemEvent(
  trx: Transaction,
  event: Omit<AuditEvent, 'actor' | 'ip' | 'device' | 'requestId'> & { by: string },
): Promise<RecordedEvent> {
  const { by, ...rest } = event
  const origin = { ip: '', device: '', requestId: '' }
  return await append(
    trx,
    AuditEvent.parse({ ...rest, ...origin, actor: { kind: 'system', name: by } }),
  )
}

export type AuditFilter = {
  officeId: OfficeId
  subjectId?: string | undefined
  /** Only what this person did. */
  actorId?: UserId | undefined
  /** Only these happenings. */
  actions?: readonly AuditEvent['action'][] | undefined
  /** Only from this instant on. */
  from?: Instant | undefined
  /** Only up to this instant, with it. */
  to?: Instant | undefined
  /** Only events before this place in the log. */
  before?: number | undefined
  limit: number
}

/** The newest first: the office's events, and those that belong to no office. */
export async function listEvents(db: Reader, filter: AuditFilter): Promise<RecordedEvent[]> {
  const { officeId, subjectId, actorId, actions, from, to, before, limit } = filter
  let query = db
    .selectFrom('audit_events')
    .selectAll()
    .where((eb) => eb.or([eb('office_id', '=', officeId), eb('office_id', 'is', null)]))
  if (subjectId !== undefined) query = query.where('subject_id', '=', subjectId)
  if (actorId !== undefined) query = query.where('actor', '=', actorId)
  if (actions !== undefined) query = query.where('action', 'in', actions)
  if (from !== undefined) query = query.where('at', '>=', from)
  if (to !== undefined) query = query.where('at', '<=', to)
  if (before !== undefined) query = query.where('seq', '<', before)
  const rows = await query.orderBy('seq', 'desc').limit(limit).execute()
  return rows.map(toRecorded)
}

/**
 * An event as it was written, its place and its hash in the log's tree: as the row lies there, whatever it says. Who
 * owns the database may have put something else where the hash was.
 */
export type StoredLeaf = { seq: number; canonical: Uint8Array; leafHash: string }

/** Of all events about one thing that are of the kinds `only`, or of none of the kinds `without`; the oldest first. */
export async function listLeaves(
  db: Reader,
  { officeId, subjectId }: { officeId: OfficeId; subjectId: string },
  kinds: { only: readonly AuditEvent['action'][] } | { without: readonly AuditEvent['action'][] },
): Promise<StoredLeaf[]> {
  const query = db
    .selectFrom('audit_events')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('office_id', '=', officeId)
    .where('subject_id', '=', subjectId)
    .orderBy('seq')
  const rows = await ('only' in kinds
    ? query.where('action', 'in', kinds.only)
    : query.where('action', 'not in', kinds.without)
  ).execute()
  return rows.map(toLeaf)
}

const toLeaf = ({ seq, canonical, leaf_hash: hash }: LeafRow): StoredLeaf => ({
  seq,
  canonical: new Uint8Array(canonical),
  leafHash: hash,
})

type LeafRow = Pick<AuditEventRow, 'seq' | 'canonical' | 'leaf_hash'>

/** From the place `from` on, in the order of the log. */
export async function listStoredLeaves(
  db: Reader,
  { from, limit }: { from: number; limit: number },
): Promise<StoredLeaf[]> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['seq', 'canonical', 'leaf_hash'])
    .where('seq', '>=', from)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(toLeaf)
}

/** How many events the log has: one more than its last place. */
export async function countEvents(db: Reader): Promise<number> {
  const { last } = await db
    .selectFrom('audit_events')
    .select(({ fn }) => fn.max<number | null>('seq').as('last'))
    .executeTakeFirstOrThrow()
  return (last ?? -1) + 1
}

async function append(trx: Transaction, event: AuditEvent): Promise<RecordedEvent> {
  await lockUntilCommit(trx, 'audit')
  const seq = await countEvents(trx)
  const canonical = canonicalEvent(seq, event)
  const hash = leafHash(canonical)
  await trx
    .insertInto('audit_events')
    .values(toRow(seq, event, canonical, hash))
    .execute()
  return { ...event, seq, leafHash: hash }
}

function toEvent(happening: Happening): AuditEvent {
  const { actor, at, action, subject } = happening
  const officeOfActor = actor.kind === 'anonymous' ? null : actor.officeId
  return {
    at,
    officeId: happening.officeId === undefined ? officeOfActor : happening.officeId,
    actor: auditActorOf(actor),
    action,
    subject,
    result: happening.result ?? 'success',
    ip: actor.ip,
    device: actor.device,
    requestId: actor.requestId,
    details: happening.details ?? {},
  }
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

/* The id where there is one, so that what somebody did is found. */
function actorColumnOf(actor: AuditActor): string {
  if (actor.kind === 'person') return actor.userId
  return actor.kind === 'guest' ? actor.signerId : actor.kind
}

function toRow(seq: number, event: AuditEvent, canonical: Uint8Array, hash: Sha256): AuditEventRow {
  return {
    seq,
    office_id: event.officeId,
    at: event.at,
    actor: actorColumnOf(event.actor),
    action: event.action,
    subject_kind: event.subject.kind,
    subject_id: event.subject.kind === 'nothing' ? null : event.subject.id,
    canonical,
    leaf_hash: hash,
  }
}

/* From the canonical bytes, which are what counts: the columns only find the row. */
function toRecorded(row: AuditEventRow): RecordedEvent {
  const { seq, event } = parseCanonicalEvent(row.canonical)
  if (seq !== row.seq) throw new Error(`audit event ${row.seq} says that it is ${seq}`)
  return { ...event, seq, leafHash: Sha256.parse(row.leaf_hash) }
}
