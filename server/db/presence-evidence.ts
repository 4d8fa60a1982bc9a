import type { DocumentId } from '#server/domain/ids.ts'
import {
  evidenceOf,
  type PresenceFile,
  presenceFile,
} from '#server/domain/signing/presence-evidence.ts'
import { listPresenceOf } from './presence-proofs.ts'
import type { Reader } from './transaction.ts'

/** The proofs of presence of whoever signed a document, or was about to, as they leave the system. */
export async function presenceEvidenceOf(
  db: Reader,
  documentId: DocumentId,
): Promise<PresenceFile> {
  return presenceFile((await listPresenceOf(db, documentId)).map(evidenceOf))
}
