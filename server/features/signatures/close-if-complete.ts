import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { Problem } from '#server/domain/problem.ts'
import { isComplete } from '#server/domain/signing/session/ceremony.ts'
import type { Instant } from '#server/domain/time.ts'
import type { SigningParty } from '#server/steps/signing/authorize-party.ts'
import type { CountedSignature } from './count-signature.ts'

/**
 * Completes the session with its last signature. Follow-up work (long-term proof, constancia) is done by jobs,
 * which find what is missing: a crash here loses nothing.
 *
 * @returns whether this signature completed the session
 */
export async function closeIfComplete(
  trx: Transaction,
  { session, change }: CountedSignature,
  party: SigningParty,
  at: Instant,
): Promise<boolean> {
  if (!change || !isComplete(change.after)) return false
  const completed = {
    ...session,
    state: 'completed',
    stateSince: at,
    stateBy: party.userId,
  } as const
  if (!(await replaceSigningSession(trx, session, completed)))
    throw new Problem('session-state', `${session.id} was closed meanwhile`)
  return true
}
