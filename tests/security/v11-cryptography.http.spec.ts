import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'
import { codeNow, setUpApp } from './support/accounts.ts'
import { call, expect, test } from './support/suite.ts'

test('V11.2.5 damaged encrypted secret: refused and reported', async ({
  enter,
  visitor,
  newcomer,
  rows,
}) => {
  const { secret, backupCodes } = await setUpApp(await enter(newcomer))
  rows.change(
    'update totp_factors set last_step = 0, sealed_secret = substr(sealed_secret, 1, length(sealed_secret) - 4) where user_id = ?',
    newcomer.id,
  )
  const { email, password } = newcomer
  const client = visitor()
  const { body } = await call(client, 'POST', 'login', { email, password })
  const { mfaSessionToken } = body
  const { status } = await call(client, 'POST', 'verify-mfa', {
    mfaSessionToken,
    code: codeNow(secret),
  })
  expect(status).toBe(401)
  const alerts = rows.all(
    "select subject_id, state from alerts where kind = 'secret-unreadable' and subject_id = ?",
    newcomer.id,
  )
  expect(alerts).toEqual([{ subject_id: newcomer.id, state: 'open' }])
  // Another factor still opens.
  const other = visitor()
  const again = await call(other, 'POST', 'login', { email, password })
  const paper = (backupCodes[0] ?? '').replace(/^.*·\s*/, '')
  const opened = await call(other, 'POST', 'verify-mfa', {
    mfaSessionToken: again.body.mfaSessionToken,
    code: paper,
  })
  expect(opened.status).toBe(200)
})

test('V11.3.3 encrypted secret: decrypts in its own row only', async ({
  enter,
  visitor,
  newcomer,
  person,
  rows,
}) => {
  const { secret } = await setUpApp(await enter(newcomer))
  const thief = person('suplente')
  await setUpApp(await enter(thief))
  const changed = rows.change(
    `update totp_factors set last_step = 0,
       sealed_secret = (select sealed_secret from totp_factors where user_id = ? and state = 'active'),
       key_version = (select key_version from totp_factors where user_id = ? and state = 'active')
     where user_id = (select id from users where email = ?)`,
    newcomer.id,
    newcomer.id,
    thief.email,
  )
  expect(changed).toBe(1)
  const client = visitor()
  const { body } = await call(client, 'POST', 'login', {
    email: thief.email,
    password: thief.password,
  })
  expect(body.requiresMFA).toBe(true)
  const { status } = await call(client, 'POST', 'verify-mfa', {
    mfaSessionToken: body.mfaSessionToken,
    code: codeNow(secret),
  })
  expect(status).toBe(401)
  expect(client.cookies.has('__Host-session')).toBe(false)
  rows.change(
    'delete from totp_factors where user_id = (select id from users where email = ?)',
    thief.email,
  )
  rows.change(
    'delete from backup_codes where user_id = (select id from users where email = ?)',
    thief.email,
  )
})

test('V11.4.2 password hashes: Argon2id with the current parameters', async ({ rows, demo }) => {
  const hashes = rows.all<{ hash: string }>(
    'select password_hash as hash from users where password_hash is not null',
  )
  expect(hashes.length).toBeGreaterThanOrEqual(demo.users.length)
  const cost = /^\$argon2id\$v=19\$m=\d+,t=\d+,p=\d+\$/
  for (const { hash } of hashes)
    expect(cost.exec(hash)?.[0]).toBe('$argon2id$v=19$m=19456,t=2,p=1$')
})

test('V11.7.2 secrets: not stored in clear text, and key files are readable by their owner only', async ({
  enter,
  newcomer,
  rows,
  guarded,
}) => {
  const client = await enter(newcomer)
  const { secret, backupCodes } = await setUpApp(client)
  const tables = rows.all<{ name: string }>("select name from sqlite_master where type = 'table'")
  const dump = tables
    .map(({ name }) => JSON.stringify(rows.all(`select * from "${name}"`), asText))
    .join('\n')
  expect(dump).toContain(newcomer.id)
  const secrets = [
    newcomer.password,
    secret,
    ...backupCodes,
    ...backupCodes.map((code) => code.replace(/^.*·\s*/, '')),
    client.cookies.get('__Host-session') ?? '',
  ]
  for (const one of secrets) expect([one, dump.includes(one)]).toEqual([one, false])
  const folder = path.join(guarded.server.dataFolder, 'secrets')
  expect(statSync(folder).mode & 0o777).toBe(0o700)
  const names = readdirSync(folder)
  expect(names).toContain('master.key')
  for (const name of names)
    expect([name, statSync(path.join(folder, name)).mode & 0o777]).toEqual([name, 0o600])
})

/* Byte columns are searched as text. */
function asText(_: string, value: unknown): unknown {
  const bytes = value as { type?: string; data?: number[] } | null
  return bytes?.type === 'Buffer' && bytes.data ? Buffer.from(bytes.data).toString('latin1') : value
}
