import { randomUUID } from 'node:crypto'
import { inTurns } from '#server/db/in-turns.ts'
import type { ConstanciaRow } from '#server/db/tables/constancias.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { ConstanciaId, DocumentId, OfficeId, Sha256, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { Constancia } from '#server/domain/timestamp/constancia.ts'

/** A request for a constancia over a file; `by` is null for the office's policy. */
export type ConstanciaRequest = {
  officeId: OfficeId
  documentId: DocumentId
  version: number
  sha256: Sha256
  by: UserId | null
  at: Instant
}

/**
 * Queues a request for the constancia over a file; a job sends it. Idempotent.
 *
 * @returns false if the file already has one or one is pending
 */
export async function insertConstanciaRequest(
  trx: Transaction,
  { officeId, documentId, version, sha256, by, at }: ConstanciaRequest,
): Promise<boolean> {
  const inserted = await trx
    .insertInto('constancias')
    .values({
      id: randomUUID(),
      office_id: officeId,
      document_id: documentId,
      version,
      sha256,
      state: 'pending',
      requested_at: at,
      requested_by: by,
      attempts: 0,
      next_attempt_at: at,
      last_error: null,
      provider_id: null,
      request: null,
      answer: null,
      time: null,
      policy: null,
      authority: null,
      issued_at: null,
      cost_cents: null,
    })
    .onConflict((conflict) => conflict.columns(['document_id', 'version']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** The constancia over the file of this version. */
export async function findConstancia(
  db: Reader,
  documentId: DocumentId,
  version: number,
): Promise<Constancia | undefined> {
  const row = await db
    .selectFrom('constancias')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()
  return row && toConstancia(row)
}

/**
 * The constancia over all signatures in this version: over this file, or over an earlier one to which only
 * proofs were added since, because renewing a proof needs no new constancia. An issued one takes precedence
 * over a pending one.
 */
export async function findConstanciaOverSignatures(
  db: Reader,
  documentId: DocumentId,
  version: number,
): Promise<Constancia | undefined> {
  const rows = await db
    .selectFrom('constancias')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('version', '<=', version)
    .where('version', '>=', ({ selectFrom }) =>
      selectFrom('document_versions')
        .select(({ fn }) => fn.max<number>('version').as('version'))
        .where('document_id', '=', documentId)
        .where('version', '<=', version)
        .where('cause', '!=', 'archived'),
    )
    .orderBy('version', 'desc')
    .execute()
  const row = rows.find(({ state }) => state === 'issued') ?? rows[0]
  return row && toConstancia(row)
}

/** All constancias of a document, newest file first. */
export async function listConstancias(db: Reader, documentId: DocumentId): Promise<Constancia[]> {
  const rows = await db
    .selectFrom('constancias')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('version', 'desc')
    .execute()
  return rows.map(toConstancia)
}

/**
 * Constancias due for an attempt: those of the offices in turns, of each the longest waiting first. `limit` in all, but at least one
 * of each office that has any.
 */
export async function listDueConstancias(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<Constancia[]> {
  const due: ConstanciaRow[][] = []
  // Office by office, because offices are few: one with a silent provider may have any number that wait.
  for (const { id } of await db.selectFrom('offices as office').select('id').execute()) {
    const rows = await db
      .selectFrom('constancias')
      .selectAll()
      .where('office_id', '=', id)
      .where('state', '=', 'pending')
      .where('next_attempt_at', '<=', now)
      .orderBy('next_attempt_at')
      .orderBy('id')
      .limit(limit)
      .execute()
    if (rows.length > 0) due.push(rows)
  }
  return inTurns(due, Math.max(limit, due.length)).map(toConstancia)
}

type Seen = Pick<Constancia, 'id' | 'attempts' | 'state'>

/** Compare-and-swap: false if another process tried or finished it since `seen`. */
export async function replaceConstancia(
  trx: Transaction,
  seen: Seen,
  next: Constancia,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('constancias')
    .set({
      state: next.state,
      requested_at: next.requestedAt,
      requested_by: next.requestedBy,
      attempts: next.attempts,
      next_attempt_at: next.nextAttemptAt,
      last_error: next.lastError,
      provider_id: next.providerId,
      request: next.request,
      answer: next.answer,
      time: next.time,
      policy: next.policy,
      authority: next.authority,
      issued_at: next.issuedAt,
      cost_cents: next.cost,
    })
    .where('id', '=', seen.id as ConstanciaId)
    .where('state', '=', seen.state)
    .where('attempts', '=', seen.attempts)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toConstancia(row: ConstanciaRow): Constancia {
  return Constancia.parse({
    id: row.id,
    officeId: row.office_id,
    documentId: row.document_id,
    version: row.version,
    sha256: row.sha256,
    state: row.state,
    requestedAt: row.requested_at,
    requestedBy: row.requested_by,
    attempts: row.attempts,
    nextAttemptAt: row.next_attempt_at,
    lastError: row.last_error,
    providerId: row.provider_id,
    request: row.request && Uint8Array.from(row.request),
    answer: row.answer && Uint8Array.from(row.answer),
    time: row.time,
    policy: row.policy,
    authority: row.authority,
    issuedAt: row.issued_at,
    cost: row.cost_cents === null ? null : Number(row.cost_cents),
  })
}
