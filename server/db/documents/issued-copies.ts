import { isAfterCursor } from '#server/db/after-cursor.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { CopyCancellationRow, IssuedCopyRow } from '#server/db/tables/copies.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { type CopyKind, IssuedCopy } from '#server/domain/documents/copies/issued-copy.ts'
import type { DocumentId, IssuedCopyId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'

/** Copies with their cancellation, if any. */
const copiesIn = (db: Reader) =>
  db
    .selectFrom('issued_copies')
    .leftJoin('copy_cancellations', 'copy_cancellations.copy_id', 'issued_copies.id')
    .selectAll('issued_copies')
    .select(['cancelled_at', 'cancelled_by', 'reason'])

export async function findIssuedCopy(
  db: Reader,
  id: IssuedCopyId,
): Promise<IssuedCopy | undefined> {
  const row = await copiesIn(db).where('id', '=', id).executeTakeFirst()
  return row && toCopy(row)
}

export type CopyFilter = {
  documentId: DocumentId
  behind?: PageCursor<IssuedCopyId> | undefined
  limit: number
}

/** The copies of a document, cancelled ones too, those recorded last first. */
export async function listIssuedCopies(
  db: Reader,
  { documentId, behind, limit }: CopyFilter,
): Promise<IssuedCopy[]> {
  const rows = await copiesIn(db)
    .where('document_id', '=', documentId)
    .$if(behind !== undefined, (query) => query.where(isAfterCursor(behind!, 'at')))
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toCopy)
}

/** Serializes the ordinals of a document. */
export const lockCopies = (trx: Transaction, documentId: DocumentId) =>
  lockUntilCommit(trx, `copies:${documentId}`)

/** The highest ordinal of the document for each kind that it has; those of cancelled copies count. */
export async function findLastOrdinals(
  db: Reader,
  documentId: DocumentId,
): Promise<Map<CopyKind, number>> {
  const rows = await db
    .selectFrom('issued_copies')
    .select(({ fn }) => ['kind', fn.max<number>('ordinal').as('last')])
    .where('document_id', '=', documentId)
    .groupBy('kind')
    .execute()
  return new Map(rows.map(({ kind, last }) => [kind as CopyKind, last]))
}

/** @throws if the document has a copy of this kind and ordinal */
export async function insertIssuedCopy(trx: Transaction, copy: IssuedCopy): Promise<void> {
  const { recipient, medium } = copy
  await trx
    .insertInto('issued_copies')
    .values({
      ...{ id: copy.id, document_id: copy.documentId, kind: copy.kind, ordinal: copy.ordinal },
      ...{ part: copy.part, issued_on: copy.issuedOn, note: copy.note, version: copy.version },
      recipient_name: recipient.name,
      recipient_rfc: recipient.rfc,
      recipient_character: recipient.character,
      sheets: medium.kind === 'paper' ? medium.sheets : null,
      at: copy.at,
      by_user: copy.by,
    })
    .execute()
}

/** @throws if it was cancelled before; the caller holds `lockCopies` */
export async function insertCopyCancellation(
  trx: Transaction,
  copyId: IssuedCopyId,
  { at, by, reason }: NonNullable<IssuedCopy['cancelled']>,
): Promise<void> {
  await trx
    .insertInto('copy_cancellations')
    .values({ copy_id: copyId, cancelled_at: at, cancelled_by: by, reason })
    .execute()
}

type Joined = IssuedCopyRow & {
  [Column in keyof Omit<CopyCancellationRow, 'copy_id'>]: CopyCancellationRow[Column] | null
}

function toCopy(row: Joined): IssuedCopy {
  const { recipient_name: name, recipient_rfc: rfc, recipient_character: character } = row
  return IssuedCopy.parse({
    ...row,
    documentId: row.document_id,
    recipient: { name, rfc, character },
    medium: row.sheets === null ? { kind: 'electronic' } : { kind: 'paper', sheets: row.sheets },
    issuedOn: row.issued_on,
    by: row.by_user,
    cancelled:
      row.cancelled_at === null
        ? null
        : { at: row.cancelled_at, by: row.cancelled_by, reason: row.reason },
  })
}
