import type { NewAlert } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { replaceSigner } from '#server/db/signing-sessions/signers.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import type { SigningSessionId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Ceremony, hasSignedAny } from '#server/domain/signing/session/ceremony.ts'
import type { RejectionProof, Signer } from '#server/domain/signing/session/signer.ts'
import type { Reason } from '#server/domain/signing/session/signing-session.ts'
import { signerMustBecome } from '#server/domain/signing/session/transitions.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { endSigningSession, wasAsked } from '#server/steps/signing/end-signing-session.ts'
import { firstDocumentFacts } from '#server/steps/signing/first-document-facts.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import type { System } from '#server/system.ts'

/** `hasCopy`: whether the signer keeps a copy of what they signed in the session. */
export type RejectedSession = { kind: 'rejected'; hasCopy: boolean }

export type RejectionToCommit = {
  signingSessionId: SigningSessionId
  reason: Reason
  actor: Signatory
  at: Instant
  /** Null for a user, whose authentication is recent. */
  proof: RejectionProof | null
  /** What proves it, for the log. */
  evidence?: Readonly<Record<string, string>>
}

/**
 * Records the rejection: the session ends for all signers, and its author and the users who sign have an alert.
 *
 * @param useProof called under the session's lock, before anything changes; throws if the proof was used meanwhile
 * @throws {Problem} `session-state` when they have signed everything or the session is over; `not-a-signer`
 */
export async function commitRejection(
  { db, settings }: Pick<System, 'db' | 'settings'>,
  { signingSessionId: id, reason, actor, at, proof, evidence }: RejectionToCommit,
  useProof?: (trx: Transaction) => Promise<void>,
): Promise<RejectedSession> {
  return await db.transaction(async (trx) => {
    const ceremony = await lockCeremony(trx, id)
    const signer = signerOf(ceremony, actor)
    signerMustBecome(signer, 'rejected')
    await useProof?.(trx)
    const change = { state: 'rejected', stateSince: at, stateReason: reason } as const
    if (!(await replaceSigner(trx, signer, { ...signer, ...change, stateProof: proof })))
      throw new Problem('session-state', `${signer.id} is not pending any more`)
    await endSigningSession(trx, ceremony, {
      state: 'rejected',
      reason,
      by: signer.userId,
      at,
      page: `${settings.publicOrigin}/dashboard/signing/${id}`,
    })
    const facts = {
      ...{ session: ceremony.session.title, by: signer.name },
      ...(await firstDocumentFacts(trx, ceremony)),
    }
    for (const userId of staffOf(ceremony, signer))
      await raiseAlert(trx, { ...rejectedAlert(ceremony, userId, at), facts })
    await appendEvent(trx, {
      actor,
      at,
      action: 'signing-session.rejected',
      subject: { kind: 'signing-session', id },
      details: { reason, signer: signer.id, ...(proof && { proof }), ...evidence },
    })
    return { kind: 'rejected', hasCopy: hasSignedAny(ceremony, signer.id) }
  })
}

/** The author and the users who sign, but the one who rejects. */
function staffOf({ session, signers }: Ceremony, by: Signer): UserId[] {
  const signing = signers.filter(wasAsked).flatMap(({ userId }) => userId ?? [])
  const staff = new Set([session.createdBy, ...signing])
  return [...staff].filter((id) => id !== by.userId)
}

const rejectedAlert = ({ session }: Ceremony, userId: UserId, at: Instant): NewAlert => ({
  officeId: session.officeId,
  userId,
  kind: 'signing-rejected',
  severity: 'danger',
  subjectKind: 'signing-session',
  subjectId: session.id,
  occasion: occasions.signingRejected(session.id, userId === session.createdBy ? null : userId),
  at,
})

/** A user who is named twice rejects as the signer who has not signed. */
function signerOf({ signers, session }: Ceremony, actor: Signatory): Signer {
  const own = signers.filter(({ id, userId }) =>
    actor.kind === 'guest' ? id === actor.signerId : userId === actor.userId,
  )
  const signer = own.find(({ state }) => state === 'pending') ?? own.at(-1)
  if (!signer) throw new Problem('not-a-signer', `of session ${session.id}`)
  return signer
}
