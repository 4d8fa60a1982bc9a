import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { DocumentVersionRow } from '#server/db/tables/documents.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { type DocumentId, OfficeId, type Sha256 } from '#server/domain/ids.ts'

/** The rows of versions, each with the office of its document. */
const versionsIn = (db: Reader) =>
  db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.id', 'document_versions.document_id')
    .selectAll('document_versions')
    .select('documents.office_id')

export async function findVersion(
  db: Reader,
  documentId: DocumentId,
  version: number,
): Promise<DocumentVersion | undefined> {
  const row = await versionsIn(db)
    .where('document_id', '=', documentId)
    .where('document_versions.version', '=', version)
    .executeTakeFirst()
  return row && toVersion(row)
}

/** Identifies one version of one document. */
export type NamedVersion = Pick<DocumentVersion, 'documentId' | 'version'>

/** The existing ones of these versions, in no order. */
export async function listNamedVersions(
  db: Reader,
  named: readonly NamedVersion[],
): Promise<DocumentVersion[]> {
  const rows = await inChunks(named, (chunk) =>
    versionsIn(db)
      // A subquery: SQLite compares row values only with rows. PostgreSQL takes untyped parameters for text,
      // hence the cast.
      .where(
        sql<boolean>`(document_id, document_versions.version) in (values ${sql.join(
          chunk.map(({ documentId, version }) => sql`(${documentId}, cast(${version} as integer))`),
        )})`,
      )
      .execute(),
  )
  return rows.map(toVersion)
}

/** Those of these documents whose newest upload had signatures. */
export async function listArrivedSigned(
  db: Reader,
  documentIds: Iterable<DocumentId>,
): Promise<Set<DocumentId>> {
  const cause: DocumentVersion['cause'] = 'uploaded'
  const rows = await inChunks(documentIds, (chunk) =>
    db
      .selectFrom('document_versions')
      .select('document_id')
      .where('document_id', 'in', chunk)
      .where('cause', '=', cause)
      .where('signatures_brought', '>', 0)
      .where(IS_NEWEST_UPLOAD)
      .execute(),
  )
  return new Set(rows.map(({ document_id }) => document_id as DocumentId))
}

/** Of the row of an upload: the file of the draft was not replaced afterwards. */
export const IS_NEWEST_UPLOAD = sql<boolean>`not exists (
  select 1 from document_versions as later
  where later.document_id = document_versions.document_id
    and later.version > document_versions.version and later.cause = 'uploaded'
)`

/** The newest uploaded version: what was sent to be signed, or will be. */
export async function findUploadedVersion(
  db: Reader,
  documentId: DocumentId,
): Promise<DocumentVersion | undefined> {
  const cause: DocumentVersion['cause'] = 'uploaded'
  const row = await versionsIn(db)
    .where('document_id', '=', documentId)
    .where('cause', '=', cause)
    .orderBy('document_versions.version', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toVersion(row)
}

/** How many pages the newest upload of each document has. */
export async function listUploadedPages(
  db: Reader,
  documentIds: readonly DocumentId[],
): Promise<Map<DocumentId, number>> {
  if (documentIds.length === 0) return new Map()
  const cause: DocumentVersion['cause'] = 'uploaded'
  const rows = await db
    .selectFrom('document_versions')
    .select(['document_id', 'pages'])
    .where('document_id', 'in', documentIds)
    .where('cause', '=', cause)
    .orderBy('version')
    .execute()
  return new Map(rows.map(({ document_id, pages }) => [document_id as DocumentId, pages]))
}

/** All versions, newest first. */
export async function listVersions(db: Reader, documentId: DocumentId): Promise<DocumentVersion[]> {
  const rows = await versionsIn(db)
    .where('document_id', '=', documentId)
    .orderBy('document_versions.version', 'desc')
    .execute()
  return rows.map(toVersion)
}

/** A version's file, as its row describes it. */
export type VersionFile = Pick<
  DocumentVersion,
  'documentId' | 'officeId' | 'version' | 'sha256' | 'bytes'
>

/** The files of all versions of all offices that were not purged, in the order of document and version. */
export async function listVersionFiles(
  db: Reader,
  { after, limit }: { after: VersionFile | undefined; limit: number },
): Promise<VersionFile[]> {
  const rows = await versionsIn(db)
    .where('documents.purged_at', 'is', null)
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(
          refTuple('document_id', 'document_versions.version'),
          '>',
          tuple(after!.documentId, after!.version),
        ),
      ),
    )
    .orderBy('document_id')
    .orderBy('document_versions.version')
    .limit(limit)
    .execute()
  return rows.map(toVersion)
}

/** The offices with a version of exactly this content, unless they purged it. */
export async function listOfficesWith(db: Reader, sha256: Sha256): Promise<OfficeId[]> {
  const rows = await db
    .selectFrom('document_versions')
    .innerJoin('documents', 'documents.id', 'document_versions.document_id')
    .select('documents.office_id')
    .distinct()
    .where('sha256', '=', sha256)
    .where('documents.purged_at', 'is', null)
    .execute()
  return rows.map(({ office_id }) => OfficeId.parse(office_id))
}

/** Whether any version ever had exactly this content. */
export async function isKnownContent(db: Reader, sha256: Sha256): Promise<boolean> {
  const row = await db
    .selectFrom('document_versions')
    .select('document_id')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function insertVersion(trx: Transaction, version: DocumentVersion): Promise<void> {
  await insertVersions(trx, [version])
}

/** @throws when a document has its version already */
export async function insertVersions(
  trx: Transaction,
  versions: readonly DocumentVersion[],
): Promise<void> {
  for (let start = 0; start < versions.length; start += MOST_INSERTED)
    await trx
      .insertInto('document_versions')
      .values(versions.slice(start, start + MOST_INSERTED).map(toRow))
      .execute()
}

/** Rows of a statement: each binds eleven values of the 32,766 that SQLite admits. */
const MOST_INSERTED = 1000

const toRow = (version: DocumentVersion) => ({
  document_id: version.documentId,
  version: version.version,
  sha256: version.sha256,
  bytes: version.bytes,
  pages: version.pages,
  cause: version.cause,
  by_user: version.by,
  session_signer_id: version.signer,
  at: version.at,
  file_name: version.fileName,
  signatures_brought: version.signaturesBrought,
})

function toVersion(row: DocumentVersionRow & { office_id: string }): DocumentVersion {
  return DocumentVersion.parse({
    ...row,
    documentId: row.document_id,
    officeId: row.office_id,
    by: row.by_user,
    signer: row.session_signer_id,
    fileName: row.file_name,
    signaturesBrought: row.signatures_brought,
  })
}
