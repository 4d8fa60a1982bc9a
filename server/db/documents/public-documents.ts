import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { VerificationCode } from '#server/domain/documents/verification-code.ts'
import type { DocumentId, OfficeId, Sha256 } from '#server/domain/ids.ts'
import { toDocument } from './documents.ts'

/** How the public names a document. */
export type PublicName = { id: DocumentId } | { code: VerificationCode }

/** Who looks a document up: the users of its office also find those that the public does not. */
export type LookingUp = { officeId: OfficeId | undefined }

const isFoundBy = ({ officeId = '' as OfficeId }: LookingUp) =>
  sql<boolean>`(documents.public_lookup = 'on' or documents.office_id = ${officeId})`

/** Signed, or a session on it was opened at some time. */
const WAS_SENT = sql<boolean>`(
  documents.state = 'signed' or exists (
    select 1 from session_documents
    where session_documents.document_id = documents.id and session_documents.base_version is not null
  )
)`

/**
 * The document, if they may know that it exists. Otherwise the query is the same, and takes as long, as for a document
 * that does not exist.
 */
export async function findPublicDocument(
  db: Reader,
  name: PublicName,
  by: LookingUp,
): Promise<Document | undefined> {
  const named = db.selectFrom('documents').selectAll().where(isFoundBy(by)).where(WAS_SENT)
  const row = await ('id' in name
    ? named.where('id', '=', name.id)
    : named.where('verification_code', '=', name.code)
  ).executeTakeFirst()
  return row && toDocument(row)
}

/** One file may be uploaded any number of times. */
const MOST_OF_DIGEST = 50

/**
 * The documents that were complete at a version of exactly this digest, for each digest: the newest 50 at most, signed
 * ones before those that are signed once more; newest first.
 */
export async function listCompletedBySha256(
  db: Reader,
  digests: Iterable<Sha256>,
  by: LookingUp,
): Promise<Map<Sha256, Document[]>> {
  const rows = await inChunks(digests, (chunk) =>
    db
      .selectFrom((found) =>
        found
          .selectFrom('documents')
          .innerJoin('document_versions', 'document_versions.document_id', 'documents.id')
          .selectAll('documents')
          .select(['document_versions.sha256', PLACE.as('place')])
          .where('document_versions.sha256', 'in', chunk)
          .where('documents.state', 'in', ['signed', 'signing'])
          .where(isFoundBy(by))
          .where(WAS_COMPLETE)
          .as('placed'),
      )
      .selectAll()
      .where('place', '<=', MOST_OF_DIGEST)
      .orderBy('created_at', 'desc')
      .execute(),
  )
  const found = new Map<Sha256, Document[]>()
  for (const { sha256, place, ...row } of rows) {
    const digest = sha256 as Sha256
    found.set(digest, [...(found.get(digest) ?? []), toDocument(row)])
  }
  return found
}

/**
 * A version was complete if it is the one that is signed now, if a session was opened to add signatures to it, or if
 * proofs were added to it.
 */
const WAS_COMPLETE = sql<boolean>`(
  (documents.state = 'signed' and document_versions.version = documents.version)
  or (document_versions.cause in ('signed', 'archived') and exists (
    select 1 from session_documents
    where session_documents.document_id = documents.id
      and session_documents.base_version = document_versions.version
  ))
  or exists (
    select 1 from document_versions as later
    where later.document_id = documents.id
      and later.version = document_versions.version + 1
      and later.cause = 'archived'
  )
)`

const PLACE = sql<number>`row_number() over (
  partition by document_versions.sha256
  order by case documents.state when 'signed' then 0 else 1 end, documents.created_at desc
)`
