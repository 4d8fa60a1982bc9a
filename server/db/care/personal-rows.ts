import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import { type OfficeId, SignerId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A signer of a session of the office. */
export type AskedSigner = {
  id: SignerId
  sessionId: string
  name: string
  email: string | null
  character: string | null
  state: string
  stateSince: Instant
}

type OfPerson = { officeId: OfficeId; rfc: Rfc }

/** Rows behind one of them, in the order of their ids. */
type Page<Id extends string = string> = { behind: Id | undefined; limit: number }

/** The signers with this RFC behind one of them, in the order of their ids. */
export async function listSignersWithRfc(
  db: Reader,
  { officeId, rfc }: OfPerson,
  { behind, limit }: Page<SignerId>,
): Promise<AskedSigner[]> {
  let query = db
    .selectFrom('signers')
    .innerJoin('signing_sessions', 'signing_sessions.id', 'signers.signing_session_id')
    .selectAll('signers')
    .where('signers.rfc', '=', rfc)
    .where('signing_sessions.office_id', '=', officeId)
  if (behind !== undefined) query = query.where('signers.id', '>', behind)
  const rows = await query.orderBy('signers.id').limit(limit).execute()
  return rows.map((row) => ({
    ...{ id: SignerId.parse(row.id), sessionId: row.signing_session_id, name: row.name },
    ...{ email: row.email, character: row.character },
    ...{ state: row.state, stateSince: row.state_since },
  }))
}

/** The documents of these sessions. */
export async function listDocumentsOfSessions(db: Reader, sessionIds: readonly string[]) {
  return await inChunks(sessionIds, (chunk) =>
    db
      .selectFrom('session_documents')
      .innerJoin('documents', 'documents.id', 'session_documents.document_id')
      .select(['signing_session_id', 'folio', 'kind', 'created_at'])
      .where('signing_session_id', 'in', chunk)
      .execute(),
  )
}

/** What these external signers signed. */
export async function listSignaturesOfSigners(db: Reader, signerIds: readonly SignerId[]) {
  return await inChunks(signerIds, (chunk) =>
    db
      .selectFrom('signatures')
      .innerJoin('documents', 'documents.id', 'signatures.document_id')
      .innerJoin('certificates', 'certificates.id', 'signatures.certificate_id')
      .select(['folio', 'documents.kind', 'signed_at', 'certificates.number'])
      .where('session_signer_id', 'in', chunk)
      .execute(),
  )
}

/** The copies that were issued to this person. */
export async function listCopiesWithRfc(
  db: Reader,
  { officeId, rfc }: OfPerson,
  { behind, limit }: Page,
) {
  let query = db
    .selectFrom('issued_copies')
    .innerJoin('documents', 'documents.id', 'issued_copies.document_id')
    .select(['folio', 'documents.kind as of', 'issued_copies.kind', 'ordinal', 'issued_on'])
    .select(['issued_copies.id', 'recipient_name'])
    .where('recipient_rfc', '=', rfc)
    .where('documents.office_id', '=', officeId)
  if (behind !== undefined) query = query.where('issued_copies.id', '>', behind)
  return await query.orderBy('issued_copies.id').limit(limit).execute()
}

/** The public parts of certificates of this person. */
export async function listCertificatesWithRfc(
  db: Reader,
  { officeId, rfc }: OfPerson,
  { behind, limit }: Page,
) {
  let query = db
    .selectFrom('certificates')
    .select(['id', 'name', 'number', 'issuer', 'curp', 'not_before', 'not_after'])
    .where('office_id', '=', officeId)
    .where('rfc', '=', rfc)
  if (behind !== undefined) query = query.where('id', '>', behind)
  return await query.orderBy('id').limit(limit).execute()
}

/** The mails to this address, without what they say. */
export async function listMailTo(
  db: Reader,
  { officeId, address }: { officeId: OfficeId; address: string },
  { behind, limit }: Page,
) {
  let query = db
    .selectFrom('outbox')
    .select(['id', 'kind', 'to_name', 'to_address', 'created_at', 'state'])
    .where('office_id', '=', officeId)
    .where('to_address', '=', address)
  if (behind !== undefined) query = query.where('id', '>', behind)
  return await query.orderBy('id').limit(limit).execute()
}

/** The newest events of the office by one of these actors, or about this subject. */
export async function listEventsOf(
  db: Reader,
  { officeId, ...of }: { officeId: OfficeId } & ({ actor: string } | { subjectId: string }),
  limit: number,
) {
  const query = db.selectFrom('audit_events').selectAll().where('office_id', '=', officeId)
  const found =
    'actor' in of
      ? query.where('actor', '=', of.actor)
      : query.where('subject_id', '=', of.subjectId)
  return await found.orderBy('at', 'desc').orderBy('seq', 'desc').limit(limit).execute()
}
