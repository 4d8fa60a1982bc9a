import { randomInt, randomUUID } from 'node:crypto'
import { Instant } from '#server/domain/time.ts'
import type { OfficeDatabase } from '#tests/e2e/support/office-database.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import { type Client, call, expect } from './suite.ts'

/** Sets up an authenticator app by the API; its secret and the backup codes that came with it. */
export async function setUpApp(client: Client): Promise<{ secret: string; backupCodes: string[] }> {
  const begun = await call(client, 'POST', 'mfa/totp/enable', {})
  expect(begun.status).toBe(200)
  const { secret } = begun.body
  const done = await call(client, 'POST', 'mfa/totp/verify-setup', { code: codeNow(secret) })
  expect(done.status).toBe(200)
  return { secret, backupCodes: done.body.backupCodes }
}

export const codeNow = (secret: string) => codeAt(secret, Instant.parse(Date.now()))

/** Another office in the demo's database, with one user and one document. */
export function anotherOffice(rows: OfficeDatabase) {
  type Row = Record<string, unknown>
  const insert = (table: string, row: Row) => {
    const names = Object.keys(row)
    rows.change(
      `insert into ${table} (${names}) values (${names.map(() => '?')})`,
      ...names.map((name) => row[name]),
    )
  }
  const first = (sql: string) => rows.all<Row>(sql)[0] as Row
  const [officeId, userId, documentId] = [randomUUID(), randomUUID(), randomUUID()]
  const email = `persona-${userId.slice(0, 8)}@otra.example`
  const lastName = `Ajeno-${userId.slice(0, 8)}`
  insert('offices', {
    ...first('select * from offices limit 1'),
    id: officeId,
    number: randomInt(1_000, 9_000),
  })
  insert('users', {
    ...first("select * from users where state = 'active' and password_hash is not null limit 1"),
    ...{ id: userId, office_id: officeId, email, last_name: lastName, password_change_since: null },
  })
  for (const role of ['ADMIN', 'NOTARY'])
    insert('user_roles', { user_id: userId, role, granted_at: 1, granted_by: null })
  return { officeId, userId, email, lastName, documentId }
}
