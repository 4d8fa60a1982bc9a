import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  findConstanciaOverSignatures,
  insertConstanciaRequest,
} from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** The event that makes a document's file final: its last signature, or its long-term proof. */
export type Final = 'signed' | 'archived'

/**
 * Requests the constancia over the final file, if the office's policy says so. It costs money: a renewed proof
 * does not request another one if the signatures have one or one is pending; a new signature does.
 */
export async function requestFinalConstancia(
  trx: Transaction,
  document: Document,
  sha256: Sha256,
  final: Final,
  at: Instant,
): Promise<void> {
  const office = await findOffice(trx, document.officeId)
  if (office?.constanciaPolicy !== 'at-completion') return
  const isFinal = final === (office.timestampPolicy === 'none' ? 'signed' : 'archived')
  const { id: documentId, officeId, version } = document
  if (!isFinal || (await findConstanciaOverSignatures(trx, documentId, version))) return
  await insertConstanciaRequest(trx, { officeId, documentId, version, sha256, by: null, at })
}
