import { z } from 'zod'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { commitRejection, type RejectedSession } from './commit-rejection.ts'

export const RejectSigning = z.object({ signingSessionId: SigningSessionId, reason: Reason })
export type RejectSigning = z.infer<typeof RejectSigning>

/**
 * Rejects the session as a user who is one of its signers. External signers prove who they are in another way: see
 * `rejectWithCode` and `rejectWithEfirma`.
 *
 * @throws {Problem} `not-signed-in`, also for an external signer; `forbidden`, `not-found`, `not-a-signer`; `step-up-needed`
 *   if their authentication is not recent; `session-state` when they have signed everything or the session is over
 */
export async function rejectSigning(
  system: System,
  actor: Actor,
  { signingSessionId, reason }: RejectSigning,
): Promise<RejectedSession> {
  const { db, clock } = system
  const at = clock.now()
  mustBeSignedIn(actor)
  const ceremony = await findCeremony(db, signingSessionId)
  if (!ceremony) throw new Problem('not-found', `no signing session ${signingSessionId}`)
  const subject = { kind: 'signing-session', id: signingSessionId } as const
  const action = 'signing-sessions.reject'
  const person = await authorizeOrRecord(db, actor, action, ceremony.session, at, subject)
  return await commitRejection(system, { signingSessionId, reason, actor: person, at, proof: null })
}
