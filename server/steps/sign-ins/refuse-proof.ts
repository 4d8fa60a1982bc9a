import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { TotpHint } from '#server/domain/identity/totp.ts'
import type { Instant } from '#server/domain/time.ts'
import type { RefusedFactor } from '#server/steps/factors/checked-factor.ts'

/** The outcome of a wrong proof. */
export type RefusedProof = {
  kind: 'refused'
  attemptsLeft: number
  hint?: TotpHint
  serverTime: Instant
}

/** Logs a refused proof in a session, which stays valid. */
export async function refuseProof(
  db: Database,
  refused: RefusedFactor,
  { person, action, method, attemptsLeft, at }: Attempt,
): Promise<RefusedProof> {
  await db.transaction(async (trx) => {
    await refused.commit(trx)
    await refused.record(trx)
    await appendEvent(trx, {
      actor: person,
      at,
      action,
      subject: { kind: 'session', id: person.sessionId },
      result: 'refused',
      details: { factor: method, reason: refused.reason, attemptsLeft },
    })
  })
  const { hint } = refused
  return { kind: 'refused', attemptsLeft, serverTime: at, ...(hint && { hint }) }
}

type Attempt = {
  person: Person
  action: 'session.step-up-refused' | 'presence.refused'
  /** The submitted method. */
  method: string
  attemptsLeft: number
  at: Instant
}
