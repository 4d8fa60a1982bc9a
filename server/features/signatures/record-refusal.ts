import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { SigningMethod } from '#server/domain/documents/document-signature.ts'
import type { Signatory } from '#server/domain/identity/actor.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Logs a refused attempt to sign and its reason. */
export async function recordRefusal(
  db: Database,
  refusal: {
    by: Signatory
    at: Instant
    documentId: DocumentId
    method: SigningMethod
    /** One of our codes; never user input. */
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
