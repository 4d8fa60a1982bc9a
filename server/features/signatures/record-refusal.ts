import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Writes into the log that somebody tried to sign and why it could not be. */
export async function recordRefusal(
  db: Database,
  refusal: {
    by: Signatory
    at: Instant
    documentId: DocumentId
    method: SigningMethod
    /** Of our own lists; never what was typed or chosen. */
    code: string
  },
): Promise<void> {
  const { by, at, documentId, method, code } = refusal
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: by,
      at,
      action: 'signature.refused',
      subject: { kind: 'document', id: documentId },
      result: 'refused',
      details: { code, method },
    }),
  )
}
