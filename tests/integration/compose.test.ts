import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { checkpointFolder, compose, databaseAddress } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db/database.ts'
import { seconds } from '#server/domain/time.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import { storedOffice } from '#tests/support/builders.ts'
import { addEvents } from '#tests/support/office/log-events.ts'
import { aView, soundLogs } from '#tests/support/office/log-writers.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

test('unreachable database: the message says what to do and omits the password', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  try {
    const DATABASE_URL = `postgres://ana:secreto@127.0.0.1:${await freePort()}/rubrica`
    const composing = compose(readConfig('start', { DATABASE_URL, DATA_DIR: folder }))
    await expect(composing).rejects.toThrow(ConfigurationError)
    await expect(composing).rejects.toThrow('Revise que PostgreSQL esté en marcha')
    await expect(composing).rejects.not.toThrow('secreto')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('key that was copied in part: the message names it, and the file stays as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  try {
    await (await compose(config)).close()
    const key = join(config.secretsFolder, 'master.key')
    truncateSync(key, 16)
    const composing = compose(config)
    await expect(composing).rejects.toThrow(ConfigurationError)
    await expect(composing).rejects.toThrow(`La llave ${key} está incompleta`)
    expect(statSync(key).size).toBe(16)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('database of a later release: the message says what to do, and the database stays as it was', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  const applied = async () => {
    const db = openDatabase(databaseAddress(config))
    const { rows } = await db.transaction((trx) => MIGRATIONS.execute(trx))
    await db.close()
    return rows.map(({ name }) => name)
  }
  try {
    await (await compose(config)).close()
    const known = await applied()
    const db = openDatabase(databaseAddress(config))
    await db.transaction(async (trx) => {
      await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(
        trx,
      )
      await trx.updateTable('schema_range').set({ oldest_step: '9999-later' }).execute()
    })
    await db.close()
    const composing = compose(config)
    await expect(composing).rejects.toThrow(ConfigurationError)
    await expect(composing).rejects.toThrow(
      'La base de datos es de una versión más nueva de Rúbrica que este programa',
    )
    expect(await applied()).toEqual([...known, '9999-later'])
    await expect(compose(readConfig('dev', { DATA_DIR: folder }))).rejects.toThrow(
      `Vuelva a la rama que lo tiene, y el servidor arranca solo. O termine con Ctrl+C, borre ${folder}`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('close: events that wait for their commit are in the log before the database is closed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  try {
    const { system, close } = await compose(config)
    const office = await storedOffice(system.db)
    const views = Array.from({ length: 300 }, (_, count) => aView(office, 'a', count))
    const appended = Promise.all(views.map((view) => system.eventQueue.append(view)))
    await close()
    expect(await appended).toHaveLength(300)
    const db = openDatabase(databaseAddress(config))
    expect([...(await soundLogs(db)).values()].flat()).toHaveLength(300)
    await db.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

const MIGRATIONS = sql<{ name: string }>`select name from kysely_migration order by name`

test('other accounts read nothing of an installation: what they could read is closed at the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  const umask = process.umask()
  const openToOthers = () =>
    ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].filter(
      (name) => (statSync(join(folder, name)).mode & 0o077) !== 0,
    )
  try {
    process.umask(0o022)
    await (await compose(config)).close()
    expect(openToOthers()).toEqual([])
    chmodSync(folder, 0o755)
    chmodSync(databaseAddress(config), 0o644)
    process.umask(0o022)
    const { system, close } = await compose(config)
    // The database's own files are there while it is open.
    await addEvents(system.db, 3)
    await checkpointLogs(system, undefined, seconds(0))
    expect(readdirSync(folder)).toContain('rubrica.sqlite-wal')
    expect(openToOthers()).toEqual([])
    expect(statSync(folder).mode & 0o777).toBe(0o700)
    expect(statSync(databaseAddress(config)).mode & 0o777).toBe(0o600)
    await close()
  } finally {
    process.umask(umask)
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a folder that stays readable by others: the message says which and what to do', async () => {
  const composing = compose(readConfig('start', { DATA_DIR: '/proc/self/net' }))
  await expect(composing).rejects.toThrow(ConfigurationError)
  await expect(composing).rejects.toThrow('Otras cuentas de este equipo pueden leer /proc/self/net')
})

test('a lost key of the log is told and not replaced, until the log is begun anew on purpose', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  const secrets = (file: string) => join(config.secretsFolder, file)
  /** The faults found after opening an office, making a change and waiting a minute. */
  const aMinute = async () => {
    const { system, close } = await compose(config)
    try {
      await addEvents(system.db, 3)
      return await checkpointLogs(system, undefined, seconds(0))
    } finally {
      await close()
    }
  }
  try {
    expect(await aMinute()).toBeUndefined()
    renameSync(config.secretsFolder, `${config.secretsFolder}.gone`)
    await expect(compose(config)).rejects.toThrow(ConfigurationError)
    await expect(compose(config)).rejects.toThrow(`Falta ${secrets('log.key')}`)
    expect(existsSync(config.secretsFolder)).toBe(false)

    renameSync(`${config.secretsFolder}.gone`, config.secretsFolder)
    expect(await aMinute()).toBeUndefined()

    rmSync(secrets('log.key'))
    const db = openDatabase(databaseAddress(config))
    await db.transaction(async (trx) => {
      for (const step of beginAnew) await step.execute(trx)
    })
    await db.close()
    renameSync(join(checkpointFolder(config), 'checkpoints.jsonl'), join(folder, 'old.jsonl'))
    expect(await aMinute()).toBeUndefined()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

/** As docs/operations.md describes it. */
const beginAnew = [
  sql`drop trigger audit_checkpoints_refuses_delete`,
  sql`delete from audit_checkpoints`,
  sql`delete from key_fingerprints where name = 'log.key'`,
  sql`create trigger audit_checkpoints_refuses_delete before delete on audit_checkpoints
    begin select raise(abort, 'audit_checkpoints is append-only'); end`,
]

test('lost sealing keys are told and not replaced when there are files', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rubrica-compose-'))
  const config = readConfig('start', { DATA_DIR: folder })
  const key = join(config.secretsFolder, 'sealing-1.key')
  try {
    const { system, close } = await compose(config)
    const office = await storedOffice(system.db)
    const staged = await system.blobs.stage([Buffer.from('escritura')], 100)
    await staged.keep(office.id)
    await close()

    renameSync(key, `${key}.away`)
    const composing = compose(config)
    await expect(composing).rejects.toThrow(ConfigurationError)
    await expect(composing).rejects.toThrow(`Falta ${key} o una posterior`)
    expect(existsSync(key)).toBe(false)

    renameSync(`${key}.away`, key)
    const again = await compose(config)
    const file = { officeId: office.id, sha256: staged.sha256 }
    expect((await bytesIn(again.system, file)).toString()).toBe('escritura')
    await again.close()
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
