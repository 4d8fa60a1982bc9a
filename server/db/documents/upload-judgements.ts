import { sql } from 'kysely'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { UploadJudgementRow } from '#server/db/tables/judgements.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import type { DocumentVersion, VersionCause } from '#server/domain/documents/document-version.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import {
  JUDGEMENT_EDITION,
  UploadFinding,
  UploadJudgement,
} from '#server/domain/verification/upload-judgement.ts'
import { IS_NEWEST_UPLOAD } from './document-versions.ts'

type UploadedFile = Pick<DocumentVersion, 'documentId' | 'version' | 'sha256'>

/** A judgement of the current edition. */
export type StoredJudgement = UploadJudgement & {
  /** Fingerprint of the authorities trusted then; null if the verdict does not depend on them. */
  trustFingerprint: string | null
}

/** The judgements of these documents; none for a document that waits to be judged. */
export async function findUploadJudgements(
  db: Reader,
  documentIds: readonly DocumentId[],
): Promise<Map<DocumentId, StoredJudgement>> {
  if (documentIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('upload_judgements')
    .selectAll()
    .where('document_id', 'in', documentIds)
    .where(unindexed<number>('edition'), '=', JUDGEMENT_EDITION)
    .execute()
  return new Map(rows.map(toJudgement).map((one) => [one.documentId, one]))
}

/** The findings of the last judgement or inspection, of any edition. Locks them until the commit. */
export async function lockLastFindings(
  trx: Transaction,
  documentId: DocumentId,
): Promise<{ findings: UploadFinding[]; edition: number }> {
  await lockUntilCommit(trx, `upload-judgement:${documentId}`)
  const row = await trx
    .selectFrom('upload_judgements')
    .select(['findings', 'edition'])
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  if (!row) return { findings: [], edition: 0 }
  return { findings: UploadFinding.array().parse(JSON.parse(row.findings)), edition: row.edition }
}

/** The documents that wait to be judged now, or were judged by an earlier edition; newest first. */
export async function listUnjudged(db: Reader, now: Instant, limit: number): Promise<DocumentId[]> {
  const waiting: Pick<UploadJudgementRow, 'document_id' | 'next_try'>[] = []
  // Edition by edition: with all at once the database would sort all that wait, after a new edition each document.
  for (let edition = 0; edition < JUDGEMENT_EDITION; edition += 1)
    waiting.push(
      ...(await db
        .selectFrom('upload_judgements')
        .select(['document_id', 'next_try'])
        .where('edition', '=', edition)
        .where('next_try', '<=', now)
        .orderBy('next_try', 'desc')
        .orderBy('document_id', 'desc')
        .limit(limit)
        .execute()),
    )
  const newest = waiting.toSorted((a, b) => b.next_try - a.next_try).slice(0, limit)
  return newest.map((row) => DocumentId.parse(row.document_id))
}

/** Whether the job still has to judge this document. */
export async function waitsForJudgement(db: Reader, documentId: DocumentId): Promise<boolean> {
  const row = await db
    .selectFrom('upload_judgements')
    .select('edition')
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return row !== undefined && row.edition < JUDGEMENT_EDITION
}

/** Lets an uploaded file that was never judged wait no longer: its document cannot be signed any more. */
export async function withdrawJudgement(trx: Transaction, documentId: DocumentId): Promise<void> {
  await trx
    .deleteFrom('upload_judgements')
    .where('document_id', '=', documentId)
    .where('verdict', 'is', null)
    .execute()
}

/** Removes what was found in an uploaded file, or that it waits: the file is purged. */
export async function removeJudgement(trx: Transaction, documentId: DocumentId): Promise<void> {
  await trx.deleteFrom('upload_judgements').where('document_id', '=', documentId).execute()
}

/** Lets the job leave this document alone until then. */
export async function delayJudgement(
  trx: Transaction,
  documentId: DocumentId,
  nextTry: Instant,
): Promise<void> {
  await trx
    .updateTable('upload_judgements')
    .set({ next_try: nextTry })
    .where('document_id', '=', documentId)
    .execute()
}

export async function replaceUploadJudgement(
  trx: Transaction,
  { documentId, version, sha256, ...judged }: StoredJudgement,
): Promise<void> {
  const values = {
    ...{ version, sha256 },
    edition: JUDGEMENT_EDITION,
    trust_fingerprint: judged.trustFingerprint,
    verdict: judged.verdict,
    headline: judged.headline && JSON.stringify(judged.headline),
    findings: JSON.stringify(judged.findings),
    at: judged.at,
    next_try: judged.at,
  }
  await trx
    .insertInto('upload_judgements')
    .values({ document_id: documentId, ...values })
    .onConflict((conflict) => conflict.column('document_id').doUpdateSet(values))
    .execute()
}

/** Lets the uploaded file wait for its first judgement; does nothing if it has one or waits. */
export async function awaitJudgement(
  trx: Transaction,
  { documentId, version, sha256 }: UploadedFile,
  at: Instant,
  findings: readonly UploadFinding[] = [],
): Promise<void> {
  await trx
    .insertInto('upload_judgements')
    .values({
      ...{ document_id: documentId, version, sha256, at, next_try: at },
      ...{ edition: 0, trust_fingerprint: null, verdict: null, headline: null },
      findings: JSON.stringify(findings),
    })
    .onConflict((conflict) => conflict.column('document_id').doNothing())
    .execute()
}

/**
 * Lets the uploaded files of these documents wait for a judgement, again if theirs is of an earlier edition or under
 * other trusted authorities. Changes nothing for a file that waits or has a current judgement.
 */
export async function awaitJudgements(
  trx: Transaction,
  documentIds: readonly DocumentId[],
  { trusted, at }: { trusted: string; at: Instant },
): Promise<void> {
  const cause: VersionCause = 'uploaded'
  await trx
    .insertInto('upload_judgements')
    .columns(['document_id', 'version', 'sha256', 'edition', 'findings', 'at', 'next_try'])
    .expression((eb) =>
      eb
        .selectFrom('document_versions')
        .select([
          ...(['document_id', 'version', 'sha256'] as const),
          sql<number>`0`.as('edition'),
          sql<string>`'[]'`.as('findings'),
          sql<Instant>`${sql.lit(at)}`.as('at'),
          sql<Instant>`${sql.lit(at)}`.as('next_try'),
        ])
        .where('document_id', 'in', documentIds)
        .where('cause', '=', cause)
        .where(IS_NEWEST_UPLOAD)
        // A purged file cannot be judged.
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('documents')
              .select('documents.id')
              .whereRef('documents.id', '=', 'document_versions.document_id')
              .where('documents.purged_at', 'is', null),
          ),
        ),
    )
    .onConflict((conflict) =>
      conflict
        .column('document_id')
        .doUpdateSet({ edition: 0, next_try: at })
        .where('upload_judgements.edition', '>', 0)
        .where('upload_judgements.edition', '<=', JUDGEMENT_EDITION)
        .where((eb) =>
          eb.or([
            eb('upload_judgements.edition', '<', JUDGEMENT_EDITION),
            eb('upload_judgements.trust_fingerprint', '!=', trusted),
          ]),
        ),
    )
    .execute()
}

/** Adds a finding about an uploaded file, judged or not; does nothing if it is there. */
export async function addFinding(
  trx: Transaction,
  uploaded: UploadedFile,
  finding: UploadFinding,
  at: Instant,
): Promise<void> {
  const { documentId } = uploaded
  const { findings } = await lockLastFindings(trx, documentId)
  await awaitJudgement(trx, uploaded, at)
  if (findings.includes(finding)) return
  await trx
    .updateTable('upload_judgements')
    .set({ findings: JSON.stringify([...findings, finding]) })
    .where('document_id', '=', documentId)
    // Not of a file that replaced this one.
    .where('sha256', '=', uploaded.sha256)
    .execute()
}

function toJudgement(row: UploadJudgementRow): StoredJudgement {
  const judgement = UploadJudgement.parse({
    documentId: row.document_id,
    version: row.version,
    sha256: row.sha256,
    verdict: row.verdict,
    headline: row.headline === null ? null : JSON.parse(row.headline),
    findings: JSON.parse(row.findings),
    at: row.at,
  })
  return { ...judgement, trustFingerprint: row.trust_fingerprint }
}
