import { appendEvent } from '#server/db/audit/audit-events.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import {
  addVainAttempts,
  endVainCount,
  endVainWarning,
  listDueVainAttempts,
  listVainWarnings,
} from '#server/db/sign-ins/vain-attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import {
  gathered,
  type VainAttempt,
  type VainCount,
} from '#server/domain/identity/attempts/vain-attempts.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { VAIN_WINDOWS } from '#server/steps/sign-ins/note-vain-attempt.ts'
import type { System } from '#server/system.ts'

/** Most rows of a transaction: other writers wait for it, and on SQLite every request. */
const AT_ONCE = 100

/**
 * Logs the failed attempts that were counted: one event a minute about each account and network. Safe to run in two
 * processes at once, whose counts are added. If the process crashes before, its counts of the last minute are lost.
 *
 * @param stopping when aborted, windows that have not ended are written too, for the next process to log
 * @returns the number of events
 */
export async function logVainAttempts(
  { db, clock, memory }: Pick<System, 'db' | 'clock' | 'memory'>,
  stopping?: AbortSignal,
): Promise<number> {
  const at = clock.now()
  const windows = memory.shared(VAIN_WINDOWS)
  const counts = gathered(windows.take(at, stopping?.aborted ? 'all' : 'ended'))
  for (let from = 0; from < counts.length; from += AT_ONCE) {
    try {
      await db.transaction((trx) => add(trx, counts.slice(from, from + AT_ONCE)))
    } catch (error) {
      windows.giveBack(counts.slice(from))
      throw error
    }
  }
  // Looks first: without failed attempts nothing is written.
  while ((await listVainWarnings(db, 1)).length > 0) await db.transaction(warn)
  let logged = 0
  while ((await listDueVainAttempts(db, at, 1)).length > 0)
    logged += await db.transaction((trx) => logDue(trx, at))
  return logged
}

/* Under the lock: what another process is about to log would be set back to none, and these attempts with it. */
async function add(trx: Transaction, counts: readonly VainCount[]): Promise<void> {
  await lockUntilCommit(trx, 'vain-attempts')
  for (const count of inOrder(counts)) await addVainAttempts(trx, count)
}

/** Rows are locked in the order of their keys: another process may write the same ones. */
const inOrder = (counts: readonly VainCount[]) =>
  counts.toSorted((a, b) => (a.key < b.key ? -1 : 1))

async function logDue(trx: Transaction, at: Instant): Promise<number> {
  await lockUntilCommit(trx, 'vain-attempts')
  const due = inOrder(await listDueVainAttempts(trx, at, AT_ONCE))
  for (const { key } of due) await endVainCount(trx, key, at)
  for (const count of due) await appendCount(trx, count, at)
  return due.length
}

async function appendCount(trx: Transaction, count: VainCount, at: Instant): Promise<void> {
  const { action, details, officeId, userId, ip, device, requestId } = count
  await appendEvent(trx, {
    actor: { kind: 'anonymous', ip, device, requestId, browser: null },
    at,
    officeId,
    action,
    subject: userId ? { kind: 'user', id: userId } : { kind: 'nothing' },
    result: 'refused',
    details: {
      ...details,
      count: count.attempts,
      first: toTimestamp(count.firstAt),
      last: toTimestamp(count.lastAt),
    },
  })
}

/*
 * Here, and not with the attempt: an attempt at an account that exists would take longer. Kept in a row until then, so
 * that a crash loses no warning.
 */
async function warn(trx: Transaction): Promise<void> {
  await lockUntilCommit(trx, 'vain-attempts')
  const due = await listVainWarnings(trx, AT_ONCE)
  for (const { attempt, at } of due) {
    await endVainWarning(trx, attempt.key)
    await warnUser(trx, attempt, at)
  }
}

async function warnUser(
  trx: Transaction,
  { officeId, userId, device, ip }: VainAttempt,
  at: Instant,
): Promise<void> {
  if (!officeId || !userId) return
  await raiseAlert(trx, {
    officeId,
    userId,
    kind: 'repeated-failures',
    severity: 'warning',
    subjectKind: 'user',
    subjectId: userId,
    facts: { device, ip },
    occasion: occasions.repeatedFailures(userId, at),
    at,
  })
}
