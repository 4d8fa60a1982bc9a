import { z } from 'zod'
import type { NewAlert } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { replaceSigner } from '#server/db/signing-sessions/signers.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Ceremony, hasSignedAny } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { signerMustBecome } from '#server/domain/signing/session/transitions.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { mustBeSignatory } from '#server/steps/signing/authorize-party.ts'
import { factsOfSession } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { endSigningSession } from './end-signing-session.ts'
import { lockCeremony } from './find-managed-session.ts'

export const RejectSigning = z.object({ signingSessionId: SigningSessionId, reason: Reason })
export type RejectSigning = z.infer<typeof RejectSigning>

/**
 * Rejects the session with a reason: it ends for all signers, and its author has an alert.
 *
 * @returns whether the signer keeps a copy of what they signed in it
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`, `consent-needed`,
 *   `step-up-needed` for a user whose authentication is not recent; `session-state` when they have signed everything or the session is over
 */
export async function rejectSigning(
  system: System,
  actor: Actor,
  { signingSessionId: id, reason }: RejectSigning,
): Promise<{ hasCopy: boolean }> {
  const { db, clock, settings } = system
  const at = clock.now()
  await mustBeNamed(db, actor, id, at)
  return await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const signer = signerOf(ceremony, actor)
    signerMustBecome(signer, 'rejected')
    const rejected = { ...signer, state: 'rejected', stateSince: at, stateReason: reason } as const
    if (!(await replaceSigner(trx, signer, rejected)))
      throw new Problem('session-state', `${signer.id} is not pending any more`)
    await endSigningSession(trx, ceremony, {
      state: 'rejected',
      reason,
      by: signer.userId,
      at,
      facts: {
        kind: 'signing-rejected',
        by: signer.name,
        reason,
        ...(await factsOfSession(trx, ceremony)),
        page: `${settings.publicOrigin}/dashboard/signing/${id}`,
      },
    })
    if (ceremony.session.createdBy !== signer.userId)
      await raiseAlert(trx, rejectedAlert(ceremony, signer, at))
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.rejected',
      subject: { kind: 'signing-session', id },
      details: { reason, signer: signer.id },
    })
    return { hasCopy: hasSignedAny(ceremony, signer.id) }
  })
}

const rejectedAlert = ({ session }: Ceremony, { name }: Signer, at: Instant): NewAlert => ({
  officeId: session.officeId,
  userId: session.createdBy,
  kind: 'signing-rejected',
  severity: 'danger',
  subjectKind: 'signing-session',
  subjectId: session.id,
  facts: { session: session.title, by: name },
  occasion: occasions.signingRejected(session.id),
  at,
})

async function mustBeNamed(db: Database, actor: Actor, id: SigningSessionId, at: Instant) {
  const signatory = mustBeSignatory(actor)
  const ceremony = await findCeremony(db, id)
  if (!ceremony) throw new Problem('not-found', `no signing session ${id}`)
  if (signatory.kind === 'guest') {
    if (signatory.signingSessionId !== id) throw new Problem('not-found', 'of another session')
    if (signatory.consentedAt === null) throw new Problem('consent-needed', 'did not agree yet')
    return
  }
  const subject = { kind: 'signing-session', id } as const
  const action = 'signing-sessions.reject'
  await authorizeOrRecord(db, actor, action, ceremony.session, at, subject)
}

/** A user who is named twice rejects as the signer who has not signed. */
function signerOf({ signers, session }: Ceremony, actor: Actor): Signer {
  const signatory = mustBeSignatory(actor)
  const own = signers.filter(({ id, userId }) =>
    signatory.kind === 'guest' ? id === signatory.signerId : userId === signatory.userId,
  )
  const signer = own.find(({ state }) => state === 'pending') ?? own.at(-1)
  if (!signer) throw new Problem('not-a-signer', `of session ${session.id}`)
  return signer
}
