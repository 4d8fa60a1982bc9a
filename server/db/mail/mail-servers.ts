import type { MailServerRow } from '#server/db/tables/mail.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { MailServer } from '#server/domain/mail/mail-server.ts'

export async function findMailServer(
  db: Reader,
  officeId: OfficeId,
): Promise<MailServer | undefined> {
  const row = await db
    .selectFrom('mail_servers')
    .selectAll()
    .where('office_id', '=', officeId)
    .executeTakeFirst()
  return row && toMailServer(row)
}

/** One for each office that has one. */
export async function listMailServers(db: Reader): Promise<MailServer[]> {
  const rows = await db.selectFrom('mail_servers').selectAll().orderBy('office_id').execute()
  return rows.map(toMailServer)
}

/** The one before is forgotten, with its password. */
export async function replaceMailServer(trx: Transaction, server: MailServer): Promise<void> {
  await removeMailServer(trx, server.officeId)
  await trx.insertInto('mail_servers').values(toRow(server)).execute()
}

/** Returns false if the office has none. */
export async function removeMailServer(trx: Transaction, officeId: OfficeId): Promise<boolean> {
  const { numDeletedRows } = await trx
    .deleteFrom('mail_servers')
    .where('office_id', '=', officeId)
    .executeTakeFirstOrThrow()
  return numDeletedRows === 1n
}

function toMailServer(row: MailServerRow): MailServer {
  const { key_version: keyVersion, sealed_password: bytes } = row
  return MailServer.parse({
    ...row,
    officeId: row.office_id,
    sealed: bytes && keyVersion !== null ? { keyVersion, bytes: Uint8Array.from(bytes) } : null,
    from: { name: row.from_name, address: row.from_address },
    changedAt: row.changed_at,
    changedBy: row.changed_by,
  })
}

function toRow(server: MailServer): MailServerRow {
  return {
    office_id: server.officeId,
    host: server.host,
    port: server.port,
    security: server.security,
    username: server.username,
    key_version: server.sealed?.keyVersion ?? null,
    sealed_password: server.sealed?.bytes ?? null,
    from_name: server.from.name,
    from_address: server.from.address,
    changed_at: server.changedAt,
    changed_by: server.changedBy,
  }
}
