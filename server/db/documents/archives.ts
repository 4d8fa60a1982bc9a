import type { ArchiveRow } from '#server/db/tables/proofs.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Archive } from '#server/domain/documents/archive.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { type Duration, before as earlier, type Instant } from '#server/domain/time.ts'

/** The state of a document's long-term proof; undefined before the first attempt. */
export async function findArchive(db: Reader, id: DocumentId): Promise<Archive | undefined> {
  const row = await db
    .selectFrom('archives')
    .selectAll()
    .where('document_id', '=', id)
    .executeTakeFirst()
  return row && toArchive(row)
}

/** Inserts or replaces the state. */
export async function replaceArchive(trx: Transaction, archive: Archive): Promise<void> {
  const { document_id, ...values } = toRow(archive)
  await trx
    .insertInto('archives')
    .values({ document_id, ...values })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(values))
    .execute()
}

/**
 * Completely signed documents without a long-term proof of their current version, in offices that use
 * timestamps; longest waiting first.
 *
 * @param quiet only documents unchanged for this long
 */
export async function listUnarchived(
  db: Reader,
  { now, quiet, limit }: { now: Instant; quiet: Duration; limit: number },
): Promise<DocumentId[]> {
  const rows = await archivable(db)
    .where('version.at', '<=', earlier(now, quiet))
    .where((eb) =>
      eb.or([
        // Signed, and not tried since.
        eb.and([
          eb('version.cause', '=', 'signed'),
          eb.or([
            eb('archive.document_id', 'is', null),
            eb('archive.version', '<>', eb.ref('document.version')),
          ]),
        ]),
        eb.and([eb('archive.state', '=', 'waiting'), eb('archive.due_at', '<=', now)]),
      ]),
    )
    .orderBy('version.at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id as DocumentId)
}

/** Documents whose long-term proof is due for renewal, most urgent first. */
export async function listArchivesToRenew(
  db: Reader,
  { now, limit }: { now: Instant; limit: number },
): Promise<DocumentId[]> {
  const rows = await archivable(db)
    .where('archive.state', '=', 'kept')
    .where('archive.due_at', '<=', now)
    .orderBy('archive.due_at')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id as DocumentId)
}

const archivable = (db: Reader) =>
  db
    .selectFrom('documents as document')
    .innerJoin('document_versions as version', (join) =>
      join
        .onRef('version.document_id', '=', 'document.id')
        .onRef('version.version', '=', 'document.version'),
    )
    .innerJoin('offices as office', 'office.id', 'document.office_id')
    .leftJoin('archives as archive', 'archive.document_id', 'document.id')
    .select('document.id')
    .where('document.state', '=', 'signed')
    .where('version.cause', 'in', ['signed', 'archived'])
    .where('office.timestamp_policy', '<>', 'none')
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('service_providers as provider')
          .select('provider.id')
          .whereRef('provider.office_id', '=', 'office.id')
          .where('provider.kind', '=', 'timestamp')
          .where('provider.state', '=', 'active'),
      ),
    )

function toArchive(row: ArchiveRow): Archive {
  return Archive.parse({
    ...row,
    documentId: row.document_id,
    stateSince: row.state_since,
    dueAt: row.due_at,
    holdsUntil: row.holds_until,
  })
}

function toRow(archive: Archive): ArchiveRow {
  return {
    document_id: archive.documentId,
    version: archive.version,
    state: archive.state,
    state_since: archive.stateSince,
    attempts: archive.attempts,
    due_at: archive.dueAt,
    holds_until: archive.holdsUntil,
    fault: archive.fault,
  }
}
