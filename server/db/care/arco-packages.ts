import type { ArcoPackageRow } from '#server/db/tables/care.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { ArcoPackage } from '#server/domain/care/arco-package.ts'
import type { FileAddress } from '#server/domain/documents/stored-file.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

export async function findArcoPackage(
  db: Reader,
  requestId: ArcoRequestId,
): Promise<ArcoPackage | undefined> {
  const row = await db
    .selectFrom('arco_packages')
    .selectAll()
    .where('request_id', '=', requestId)
    .executeTakeFirst()
  return row && toPackage(row)
}

/** False if the request has one. */
export async function insertArcoPackage(trx: Transaction, made: ArcoPackage): Promise<boolean> {
  const row = await trx
    .insertInto('arco_packages')
    .values(toRow(made))
    .onConflict((conflict) => conflict.doNothing())
    .returning('request_id')
    .executeTakeFirst()
  return row !== undefined
}

/** The one that has waited longest. */
export async function findDuePackage(db: Reader, now: Instant): Promise<ArcoPackage | undefined> {
  const row = await db
    .selectFrom('arco_packages')
    .selectAll()
    .where('state', '=', 'waiting')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('request_id')
    .limit(1)
    .executeTakeFirst()
  return row && toPackage(row)
}

/** Those whose file is over, the oldest first. */
export async function listEndedPackages(
  db: Reader,
  now: Instant,
  limit: number,
): Promise<ArcoPackage[]> {
  const rows = await db
    .selectFrom('arco_packages')
    .selectAll()
    .where('state', '=', 'ready')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .orderBy('request_id')
    .limit(limit)
    .execute()
  return rows.map(toPackage)
}

/** Compare-and-swap: false if another process works on it, or it was asked for again. */
export async function replaceArcoPackage(
  trx: Transaction,
  seen: Pick<ArcoPackage, 'requestId' | 'state' | 'dueAt'>,
  next: ArcoPackage,
): Promise<boolean> {
  const { request_id: _, ...values } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('arco_packages')
    .set(values)
    .where('request_id', '=', seen.requestId)
    .where('state', '=', seen.state)
    .where('due_at', '=', seen.dueAt)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether a package has this content. */
export async function isFileOfPackage(
  db: Reader,
  { officeId, sha256 }: FileAddress,
): Promise<boolean> {
  const row = await db
    .selectFrom('arco_packages')
    .select('request_id')
    .where('office_id', '=', officeId)
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function toPackage(row: ArcoPackageRow): ArcoPackage {
  const { file_name: name, sha256, bytes, expires_at: expiresAt } = row
  return ArcoPackage.parse({
    ...{ requestId: row.request_id, officeId: row.office_id, state: row.state },
    ...{ stateSince: row.state_since, askedBy: row.asked_by, dueAt: row.due_at },
    attempts: row.attempts,
    file: sha256 === null ? null : { name, sha256, bytes: Number(bytes), expiresAt },
  })
}

const toRow = (made: ArcoPackage): ArcoPackageRow => ({
  ...{ request_id: made.requestId, office_id: made.officeId, state: made.state },
  ...{ state_since: made.stateSince, asked_by: made.askedBy, due_at: made.dueAt },
  ...{ attempts: made.attempts, file_name: made.file?.name ?? null },
  ...{ sha256: made.file?.sha256 ?? null, bytes: made.file?.bytes ?? null },
  expires_at: made.file?.expiresAt ?? null,
})
