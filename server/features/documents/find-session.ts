import { findHolding } from '#server/db/signing-sessions/ceremonies.ts'
import { findLatestSession } from '#server/db/signing-sessions/session-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { whoseTurn } from '#server/domain/signing/session/turns.ts'

export type DocumentSession = {
  session: SigningSession
  /** The signers whose turn it is; empty if the session is not open. */
  awaited: Signer[]
}

/** The session that holds the document, else its last session; null if it was never in one. */
export async function findSession(
  db: Reader,
  documentId: DocumentId,
): Promise<DocumentSession | null> {
  const held = await findHolding(db, documentId)
  const session = held?.session ?? (await findLatestSession(db, documentId))
  if (!session) return null
  const isOpen = held?.session.state === 'open'
  return { session, awaited: isOpen ? whoseTurn(held.signers, held.signedBy) : [] }
}
