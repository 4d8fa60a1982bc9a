import { lockUntilCommit } from '#server/db/lock.ts'
import type { PreparedSignatureRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { concatBytes, equalBytes, type Span } from '#server/domain/bytes.ts'
import { PreparedSignature } from '#server/domain/documents/prepared-signature.ts'
import type { DocumentId, PreparedSignatureId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function findPreparedSignature(
  db: Reader,
  id: PreparedSignatureId,
): Promise<PreparedSignature | undefined> {
  const row = await db
    .selectFrom('prepared_signatures')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toPrepared(row)
}

/** The lease at `now`: a pending prepared signature of this document that has not expired. */
export async function findLease(
  db: Reader,
  documentId: DocumentId,
  now: Instant,
): Promise<PreparedSignature | undefined> {
  const row = await db
    .selectFrom('prepared_signatures')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('state', '=', 'open')
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .executeTakeFirst()
  return row && toPrepared(row)
}

/** Locks the document's leases until the transaction ends, so that only one request gets one. */
export async function lockLeases(trx: Transaction, documentId: DocumentId): Promise<void> {
  await lockUntilCommit(trx, `leases:${documentId}`)
}

export async function insertPreparedSignature(
  trx: Transaction,
  prepared: PreparedSignature,
): Promise<void> {
  await trx.insertInto('prepared_signatures').values(toRow(prepared)).execute()
}

/** Compare-and-swap: false if it was no longer open. A prepared signature is used once. */
export async function endPreparedSignature(
  trx: Transaction,
  id: PreparedSignatureId,
  state: 'used' | 'dropped',
  at: Instant,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('prepared_signatures')
    .set({ state, state_since: at })
    .where('id', '=', id)
    .where('state', '=', 'open')
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toPrepared(row: PreparedSignatureRow): PreparedSignature {
  return PreparedSignature.parse({
    ...row,
    documentId: row.document_id,
    userId: row.user_id,
    signerId: row.session_signer_id,
    character: row.character === null ? null : JSON.parse(row.character),
    certificateDer: row.certificate_der,
    baseSha256: row.base_sha256,
    baseLength: row.base_length,
    increment: withContents(row),
    contents: { start: row.contents_start, end: row.contents_end },
    byteRange: JSON.parse(row.byte_range),
    signedAttributes: row.signed_attributes,
    fieldName: row.field,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    stateSince: row.state_since,
  })
}

function toRow(prepared: PreparedSignature): PreparedSignatureRow {
  return {
    id: prepared.id,
    document_id: prepared.documentId,
    version: prepared.version,
    user_id: prepared.userId,
    session_signer_id: prepared.signerId,
    character: JSON.stringify(prepared.character),
    certificate_der: prepared.certificateDer,
    base_sha256: prepared.baseSha256,
    base_length: prepared.baseLength,
    increment: withoutContents(prepared),
    contents_start: prepared.contents.start,
    contents_end: prepared.contents.end,
    byte_range: JSON.stringify(prepared.byteRange),
    digest: prepared.digest,
    signed_attributes: prepared.signedAttributes,
    field: prepared.fieldName,
    method: prepared.method,
    created_at: prepared.createdAt,
    expires_at: prepared.expiresAt,
    state: prepared.state,
    state_since: prepared.stateSince,
  }
}

/**
 * The increment without the digits of its /Contents: 32 KB of zeros, which each row would keep and each query read.
 * Rows of earlier releases have them.
 */
function withoutContents({ increment, baseLength, contents }: PreparedSignature): Uint8Array {
  const [start, end] = digitsIn(contents, baseLength)
  const isEmpty = equalBytes(increment.subarray(start, end), zeros(end - start))
  return isEmpty ? concatBytes(increment.subarray(0, start), increment.subarray(end)) : increment
}

function withContents(row: PreparedSignatureRow): Uint8Array {
  const { increment, base_length: baseLength, contents_start: start, contents_end: end } = row
  const [, , resumed = 0, rest = 0] = JSON.parse(row.byte_range) as number[]
  const [from, until] = digitsIn({ start, end }, baseLength)
  if (increment.length !== resumed + rest - baseLength - (until - from)) return increment
  const digits = zeros(until - from)
  return concatBytes(increment.subarray(0, from), digits, increment.subarray(from))
}

const zeros = (length: number) => Buffer.alloc(length, '0')

/** Between the angle brackets. */
const digitsIn = ({ start, end }: Span, baseLength: number): [number, number] => [
  start + 1 - baseLength,
  end - 1 - baseLength,
]
