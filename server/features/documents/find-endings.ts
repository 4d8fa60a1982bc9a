import { findUsers } from '#server/db/people/users.ts'
import { listSessionsOf } from '#server/db/signing-sessions/session-documents.ts'
import { listSignersOf } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { RejectionProof } from '#server/domain/signing/session/signer.ts'
import type { Instant } from '#server/domain/time.ts'

/** How a session of the document ended without all its signatures. */
export type SessionEnding = {
  kind: 'rejected' | 'cancelled' | 'expired'
  at: Instant
  /** Title of the session. */
  session: string
  /** Null if the clock ended it. */
  by: string | null
  /** Empty if none was given. */
  reason: string
  /** How an external signer who rejected proved who they are; null for others. */
  proof: RejectionProof | null
}

/** More would make the history unreadable. */
const MOST_SESSIONS = 100

/** The rejections, cancellations and expirations of the document's sessions, oldest first. */
export async function findEndings(db: Reader, documentId: DocumentId): Promise<SessionEnding[]> {
  const sessions = await listSessionsOf(db, documentId, MOST_SESSIONS)
  const ended = sessions.filter(({ state }) => ENDED.some((one) => one === state))
  const signers = await listSignersOf(
    db,
    ended.map(({ id }) => id),
  )
  const users = await findUsers(
    db,
    ended.flatMap(({ stateBy }) => stateBy ?? []),
  )
  return ended
    .map(({ id, title, state, stateSince, stateBy, stateReason }) => {
      // An external signer who rejects is no user.
      const rejecting = signers.get(id)?.find((signer) => signer.state === 'rejected')
      const user = stateBy === null ? undefined : users.get(stateBy)
      return {
        kind: state as SessionEnding['kind'],
        ...{ at: stateSince, session: title, reason: stateReason ?? '' },
        proof: rejecting?.stateProof ?? null,
        by: rejecting?.name ?? (user ? fullName(user) : null),
      }
    })
    .toSorted((a, b) => a.at - b.at)
}

const ENDED: readonly SessionEnding['kind'][] = ['rejected', 'cancelled', 'expired']
