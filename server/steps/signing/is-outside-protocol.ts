import { listOpenedSessionsOf } from '#server/db/signing-sessions/session-documents.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { leavesProtocol } from '#server/domain/signing/act/act.ts'

const MOST_SESSIONS = 20

/**
 * Whether the document says that it does not replace the signature in the protocol. A complete one: by the sessions whose signers
 * signed it, whatever became of them. Another one: by the last session that was opened.
 */
export async function isOutsideProtocol(
  db: Reader,
  id: DocumentId,
  isComplete: boolean,
): Promise<boolean> {
  const opened = await listOpenedSessionsOf(db, id, MOST_SESSIONS)
  const deciding = isComplete ? opened.filter(({ hasSigned }) => hasSigned) : opened.slice(0, 1)
  return deciding.some(({ session }) => leavesProtocol(session.act))
}
