import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  findConstanciaOverSignatures,
  insertConstanciaRequest,
} from '#server/db/trust/constancias.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** When the file of a document is final: once it is signed, or once its proof for the long term is in it. */
export type Final = 'signed' | 'archived'

/**
 * Asks for the constancia over the final file, where the office wants one. It costs money: a document that has one
 * over its signatures, or waits for it, is not asked for again when its proof is renewed; one that is signed again is.
 */
export async function wantConstancia(
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
