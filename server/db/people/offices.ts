import { inChunks } from '#server/db/in-chunks.ts'
import type { OfficeRow } from '#server/db/tables/people.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { Office } from '#server/domain/identity/office.ts'
import type { OfficeId } from '#server/domain/ids.ts'

export async function findOffice(db: Reader, id: OfficeId): Promise<Office | undefined> {
  return (await findOffices(db, [id])).get(id)
}

/** The existing offices by id. */
export async function findOffices(
  db: Reader,
  ids: Iterable<OfficeId>,
): Promise<Map<OfficeId, Office>> {
  const rows = await inChunks(ids, (chunk) =>
    db.selectFrom('offices').selectAll().where('id', 'in', chunk).execute(),
  )
  return new Map(rows.map(toOffice).map((office) => [office.id, office]))
}

/** Every office; most installations have one. */
export async function listOffices(db: Reader): Promise<Office[]> {
  const rows = await db.selectFrom('offices').selectAll().orderBy('number').execute()
  return rows.map(toOffice)
}

export async function insertOffice(trx: Transaction, office: Office): Promise<void> {
  const active = { state: 'active', state_since: null, state_reason: null }
  await trx
    .insertInto('offices')
    .values({ ...toRow(office), ...active })
    .execute()
}

/** Returns false if the office does not exist. */
export async function replaceOffice(trx: Transaction, office: Office): Promise<boolean> {
  const { id, ...values } = toRow(office)
  const { numUpdatedRows } = await trx
    .updateTable('offices')
    .set(values)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

function toOffice(row: OfficeRow): Office {
  return Office.parse({
    ...row,
    timeZone: row.time_zone,
    serverSigning: row.server_signing,
    uploadLimit: row.upload_limit_bytes,
    sessionIdle: row.session_idle_ms,
    sessionAbsolute: row.session_absolute_ms,
    secondFactorGrace: row.second_factor_grace_ms,
    timestampPolicy: row.timestamp_policy,
    presence: row.presence_policy,
    constanciaPolicy: row.constancia_policy,
    reminders: row.reminder_policy,
    reportSchedule: row.report_schedule,
    publicNames: row.public_names,
    publicDownloads: row.public_downloads,
  })
}

type PolicyRow = Omit<OfficeRow, 'state' | 'state_since' | 'state_reason'>

function toRow(office: Office): PolicyRow {
  return {
    id: office.id,
    number: office.number,
    entity: office.entity,
    municipality: office.municipality,
    address: office.address,
    time_zone: office.timeZone,
    name: office.name,
    server_signing: office.serverSigning,
    upload_limit_bytes: office.uploadLimit,
    session_idle_ms: office.sessionIdle,
    session_absolute_ms: office.sessionAbsolute,
    second_factor_grace_ms: office.secondFactorGrace,
    timestamp_policy: office.timestampPolicy,
    presence_policy: office.presence,
    constancia_policy: office.constanciaPolicy,
    reminder_policy: office.reminders,
    report_schedule: office.reportSchedule,
    public_names: office.publicNames,
    public_downloads: office.publicDownloads,
  }
}
