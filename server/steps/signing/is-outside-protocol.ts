import { listSessionsOf } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { leavesProtocol } from '#server/domain/signing/act/act.ts'

const MOST_SESSIONS = 20

/**
 * Whether the document says that it does not replace the signature in the protocol: by the sessions that completed it, or else by
 * the last one that was opened.
 */
export async function isOutsideProtocol(
  db: Reader,
  id: DocumentId,
  isComplete: boolean,
): Promise<boolean> {
  const sessions = await listSessionsOf(db, id, MOST_SESSIONS)
  const opened = sessions.filter(({ state }) => state !== 'draft')
  const deciding = isComplete
    ? opened.filter(({ state }) => state === 'completed')
    : opened.slice(0, 1)
  return deciding.some(({ act }) => leavesProtocol(act))
}
