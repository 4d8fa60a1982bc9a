import { listAcknowledgementsOf } from '#server/db/documents/acknowledgements.ts'
import { findUsers } from '#server/db/people/users.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { EvidencedAcknowledgement } from '#server/domain/signing/evidence-sheet-facts.ts'
import type { Instant } from '#server/domain/time.ts'
import { acknowledgementText } from '#server/words/judgements.ts'

/**
 * What signers stated about a file that was not green, in the order in which they did.
 *
 * @param until leaves out later statements, of a signing under way
 */
export async function gatherAcknowledgements(
  db: Reader,
  documentId: DocumentId,
  until: Instant,
): Promise<EvidencedAcknowledgement[]> {
  const made = (await listAcknowledgementsOf(db, documentId)).filter(({ at }) => at <= until)
  const users = await findUsers(
    db,
    made.flatMap(({ userId }) => userId ?? []),
  )
  const signers = await findSigners(
    db,
    made.flatMap(({ signerId }) => signerId ?? []),
  )
  return made.map(({ userId, signerId, at, ...shown }) => {
    const user = userId && users.get(userId)
    const name = user ? fullName(user) : signerId && signers.get(signerId)?.name
    if (!name) throw new Error(`an acknowledgement for ${documentId} names no known signer`)
    return { name, at, text: acknowledgementText(shown) }
  })
}
