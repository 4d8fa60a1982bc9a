import { randomUUID } from 'node:crypto'
import { countEvents } from '#server/db/audit/logs.ts'
import type { Database } from '#server/db/database.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { AuditAction, type AuditActor, canonicalEvent } from '#server/domain/audit/event.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { FIRST_LOG } from '#server/domain/audit/log.ts'
import { actionsAbout } from '#server/domain/audit/topic.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { type OfficeId, SessionId } from '#server/domain/ids.ts'
import { after, before, type Instant, seconds } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'
import { insertMany } from './many-rows.ts'

/** A document with a quarter of the events of `fillLog`. */
export const BUSY_DOCUMENT = randomUUID()

/**
 * Events about people never happen: a filter on them finds nothing. Nor do signatures: those of a document are as many as
 * its signed versions.
 */
const ACTIONS = AuditAction.options.filter(
  (action) => !actionsAbout('people').includes(action) && action !== 'document.signed',
)

/** Seconds by which some events are ahead of later ones, as those of a process with another clock. */
const JITTER = 90

const IN_A_TRANSACTION = 50_000

export type FilledLog = {
  /** The subject of a quarter of the events. */
  busyDocument: string
  /** The time of the last event. */
  end: Instant
}

/**
 * Appends events about a second apart: three of five by the people in turn, two by strangers and of no office; all
 * other actions in turn, a quarter about the busy document.
 */
export async function fillLog(
  db: Database,
  people: readonly User[],
  count: number,
  { busyDocument, end }: FilledLog = {
    busyDocument: BUSY_DOCUMENT,
    end: after(MORNING, seconds(count)),
  },
): Promise<void> {
  const sessionId = SessionId.parse(randomUUID())
  const first = await countEvents(db, FIRST_LOG)
  const log = { people, sessionId, busyDocument, start: before(end, seconds(first + count)) }
  for (let from = first; from < first + count; from += IN_A_TRANSACTION) {
    const length = Math.min(IN_A_TRANSACTION, first + count - from)
    await db.transaction(async (trx) => {
      await lockUntilCommit(trx, 'audit 0')
      const rows = Array.from({ length }, (_, index) => rowAt(from + index, log))
      await insertMany(trx, db, 'audit_events', rows)
    })
  }
}

type Log = {
  people: readonly User[]
  sessionId: SessionId
  busyDocument: string
  /** The time of the event 0. */
  start: Instant
}

function rowAt(seq: number, { people, sessionId, busyDocument, start }: Log) {
  const isOfPeople = seq % 5 < 3
  const user = people[Math.floor(seq / 5) % people.length]
  if (!user) throw new Error('events of no office')
  const actor: AuditActor = isOfPeople
    ? { kind: 'person', userId: user.id, sessionId, name: fullName(user) }
    : { kind: 'anonymous' }
  const officeId: OfficeId | null = isOfPeople ? user.officeId : null
  const action = ACTIONS[seq % ACTIONS.length] ?? 'alert.read'
  const at = after(start, seconds(seq + (seq % 7 === 0 ? JITTER : 0)))
  const id = seq % 4 === 0 ? busyDocument : randomUUID()
  const canonical = canonicalEvent(seq, {
    ...{ at, officeId, actor, action, subject: { kind: 'document', id }, result: 'success' },
    ...{ ip: '', device: '', requestId: '', details: { number: seq } },
  })
  return {
    ...{ seq, at, action, office_id: officeId, actor: isOfPeople ? user.id : 'anonymous' },
    ...{ subject_kind: 'document', subject_id: id, canonical, leaf_hash: leafHash(canonical) },
  }
}
