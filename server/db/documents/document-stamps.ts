import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { after, days, type Instant } from '#server/domain/time.ts'

/** An authority is rarely silent for longer; one that was not used by then belongs to a document that changed. */
const KEPT_FOR = days(30)
/** In bytes. Revocation lists may be long, and a timestamp costs little; a longer file buys another one. */
const LONGEST = 1_048_576

/** A document timestamp that was issued. */
export type IssuedStamp = {
  /** The office's name for the authority. */
  by: string
  /** The earliest end of a certificate or of an algorithm in its chain. */
  holdsUntil: Instant
  /** All bytes behind the file of the version, up to the end of the timestamp. */
  behind: Uint8Array
}

type Base = Pick<DocumentVersion, 'documentId' | 'sha256'>

/** The timestamp that was issued over the file of this version and is not in a version yet. */
export async function findDocumentStamp(db: Reader, base: Base): Promise<IssuedStamp | undefined> {
  const row = await db
    .selectFrom('document_stamps')
    .selectAll()
    .where('document_id', '=', base.documentId)
    .where('base_sha256', '=', base.sha256)
    .executeTakeFirst()
  return row && { by: row.authority, holdsUntil: row.holds_until, behind: row.behind }
}

/** Keeps a timestamp until its file is a version; one document has one. Does nothing with a very long file. */
export async function keepDocumentStamp(
  trx: Transaction,
  base: Base,
  { by, holdsUntil, behind }: IssuedStamp,
  at: Instant,
): Promise<void> {
  if (behind.length > LONGEST) return
  const values = {
    ...{ base_sha256: base.sha256, behind, authority: by },
    ...{ holds_until: holdsUntil, expires_at: after(at, KEPT_FOR) },
  }
  await trx
    .insertInto('document_stamps')
    .values({ document_id: base.documentId, ...values })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(values))
    .execute()
}

/** Does nothing if another process has kept one of a later version meanwhile. */
export async function deleteDocumentStamp(trx: Transaction, base: Base): Promise<void> {
  await trx
    .deleteFrom('document_stamps')
    .where('document_id', '=', base.documentId)
    .where('base_sha256', '=', base.sha256)
    .execute()
}

/** Of a document that is destroyed: the certificates of its signers name them. */
export async function purgeDocumentStamp(trx: Transaction, documentId: DocumentId): Promise<void> {
  await trx.deleteFrom('document_stamps').where('document_id', '=', documentId).execute()
}
