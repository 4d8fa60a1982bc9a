import { appendEvent, type NewEvent } from '#server/db/audit/audit-events.ts'
import { beginVainWindow } from '#server/db/sign-ins/vain-attempts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  createVainWindows,
  type VainAttempt,
} from '#server/domain/identity/attempts/vain-attempts.ts'
import type { Instant } from '#server/domain/time.ts'
import type { SharedOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'

/** The failed attempts of this process that are not written yet: if it crashes, these counts are lost. */
export const VAIN_WINDOWS = {
  name: 'vain-attempts',
  make: createVainWindows,
} satisfies SharedOf<ReturnType<typeof createVainWindows>>

export type FailedAttempt = Omit<VainAttempt, 'ip' | 'device' | 'requestId' | 'isWarning'> & {
  actor: Actor
  isWarning?: boolean
  /** Facts of this attempt alone, for its own event. */
  ownDetails?: Readonly<Record<string, number>>
}

/** What is written in the same transaction as the event. */
type Beside = {
  /** Written although the attempt is only counted. */
  always?: (trx: Transaction) => Promise<void>
  /** Written only if the attempt has an event of its own. */
  withEvent?: (trx: Transaction) => Promise<void>
}

/**
 * Logs a failed attempt to sign in if nothing like it was logged in the last minute, and counts it otherwise, without
 * writing; a job logs the counts. Takes as long for an unknown account as for an existing one.
 */
export async function noteVainAttempt(
  { db, memory }: Pick<System, 'db' | 'memory'>,
  failed: FailedAttempt,
  at: Instant,
  { always, withEvent }: Beside = {},
): Promise<void> {
  const windows = memory.shared(VAIN_WINDOWS)
  const attempt = toAttempt(failed)
  if (windows.note(attempt, at) === 'counted') {
    if (always) await db.transaction(always)
    return
  }
  try {
    const loggedAt = await db.transaction(async (trx) => {
      const logged = await beginVainWindow(trx, attempt, at)
      await always?.(trx)
      if (logged !== undefined) return logged
      await withEvent?.(trx)
      await appendEvent(trx, eventOf(failed, at))
      return undefined
    })
    if (loggedAt !== undefined) windows.join(attempt, at, loggedAt)
  } catch (error) {
    windows.forget(attempt.key)
    throw error
  }
}

function toAttempt({
  actor,
  isWarning = false,
  ownDetails,
  ...failed
}: FailedAttempt): VainAttempt {
  const { ip, device, requestId } = actor
  return { ...failed, ip, device, requestId, isWarning }
}

function eventOf(failed: FailedAttempt, at: Instant): NewEvent {
  const { actor, action, details, ownDetails, officeId, userId } = failed
  return {
    actor,
    at,
    officeId,
    action,
    subject: userId ? { kind: 'user', id: userId } : { kind: 'nothing' },
    result: 'refused',
    details: { ...details, ...ownDetails },
  }
}
