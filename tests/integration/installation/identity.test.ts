import { randomUUID } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { doctor } from '#server/cli/doctor.ts'
import { rotateKeys } from '#server/cli/rotate-keys.ts'
import { compose, databaseAddress } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import { type DialectName, openDatabase } from '#server/db/database.ts'
import { findFileStore } from '#server/db/installation/file-store.ts'
import { listKeyFingerprints } from '#server/db/installation/key-fingerprints.ts'
import { storedOffice } from '#tests/support/builders.ts'
import {
  anEmptyPlace,
  anOfficeIn,
  type OfficePlace,
  withSystem,
} from '#tests/support/office/installation.ts'
import { said } from '#tests/support/processes/command-line.ts'

const configOf = ({ variables }: OfficePlace) => readConfig('start', variables)
const starting = (place: OfficePlace) => withSystem(place, async () => 'started')
const secret = ({ data }: OfficePlace, name: string) => path.join(data, 'secrets', name)
const storeId = ({ data }: OfficePlace) => path.join(data, 'blobs/store-id')

async function withDatabase<T>(
  place: OfficePlace,
  work: (db: ReturnType<typeof openDatabase>) => Promise<T>,
): Promise<T> {
  const db = openDatabase(databaseAddress(configOf(place)))
  return await work(db).finally(() => db.close())
}

async function refusalOf(place: OfficePlace): Promise<string> {
  const error = await starting(place).catch((reason: unknown) => reason)
  if (!(error instanceof ConfigurationError)) throw new Error(`no refusal: ${error}`)
  return error.message
}

describe.each<DialectName>(['sqlite', 'postgres'])('%s', (dialect) => {
  test('store: the first start gives it an id, which the database knows', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    const id = readFileSync(storeId(place), 'utf8').trim()
    expect(await withDatabase(place, findFileStore)).toEqual({ id, isConfirmed: true })
    expect(await starting(place)).toBe('started')
    expect(readFileSync(storeId(place), 'utf8').trim()).toBe(id)
  })

  test('store: two processes that start at once agree on one id', async () => {
    const place = await anEmptyPlace(dialect)
    mkdirSync(place.data, { recursive: true })
    await withDatabase(place, (db) => db.migrate())
    const started = await Promise.all([compose(configOf(place)), compose(configOf(place))])
    for (const { close } of started) await close()
    const id = readFileSync(storeId(place), 'utf8').trim()
    expect(await withDatabase(place, findFileStore)).toEqual({ id, isConfirmed: true })
  })

  test('store: a first start that was killed before the store had its id is finished by the next', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    const before = readFileSync(storeId(place), 'utf8')
    rmSync(storeId(place))
    await withDatabase(place, (db) =>
      db.transaction((trx) => trx.updateTable('file_store').set({ confirmed_at: null }).execute()),
    )
    expect(await starting(place)).toBe('started')
    expect(readFileSync(storeId(place), 'utf8')).toBe(before)
  })

  test('store: without its id, or with another one, no process starts', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    writeFileSync(storeId(place), `${randomUUID()}\n`)
    expect(await refusalOf(place)).toContain('es de otra base de datos. Revise BLOBS_URL')
    rmSync(storeId(place))
    expect(await refusalOf(place)).toContain('le falta la identificación store-id')
    expect(existsSync(storeId(place))).toBe(false)
  })

  test('store: an office of an earlier release gets its id silently, but not in a folder without its files', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place)
    const blobs = path.join(place.data, 'blobs')
    const forget = () =>
      withDatabase(place, (db) =>
        db.transaction(async (trx) => {
          await trx.deleteFrom('file_store').execute()
          await trx.deleteFrom('key_fingerprints').execute()
        }),
      )
    await forget()
    rmSync(storeId(place))
    renameSync(blobs, `${blobs}-away`)
    expect(await refusalOf(place)).toContain('no está ninguno de los archivos')
    rmSync(blobs, { recursive: true, force: true })
    renameSync(`${blobs}-away`, blobs)
    expect(await starting(place)).toBe('started')
    expect((await withDatabase(place, findFileStore))?.isConfirmed).toBe(true)
    expect([...(await withDatabase(place, listKeyFingerprints)).keys()].toSorted()).toEqual([
      'log.key',
      'master.key',
      'sealing-1.key',
    ])
  })

  test('store: a new database does not take the store of another', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    const other = await anEmptyPlace(dialect)
    cpSync(path.join(place.data, 'blobs'), path.join(other.data, 'blobs'), { recursive: true })
    expect(await refusalOf(other)).toContain('es de otra base de datos')
  })

  test.each(['master.key', 'log.key', 'sealing-1.key'])(
    'keys: no process starts with another %s, or without it',
    async (name) => {
      const place = await anEmptyPlace(dialect)
      await anOfficeIn(place)
      const key = readFileSync(secret(place, name))
      writeFileSync(secret(place, name), Buffer.alloc(32, 7))
      expect(await refusalOf(place)).toContain(
        `La llave ${secret(place, name)} no es la de esta base de datos`,
      )
      rmSync(secret(place, name))
      expect(await refusalOf(place)).toContain(`Falta ${secret(place, name)}`)
      expect(existsSync(secret(place, name))).toBe(false)
      writeFileSync(secret(place, name), key)
      expect(await starting(place)).toBe('started')
    },
  )

  test('keys: before the first checkpoint no process starts with another log.key, or without it', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    await withDatabase(place, (db) => storedOffice(db))
    const key = readFileSync(secret(place, 'log.key'))
    writeFileSync(secret(place, 'log.key'), Buffer.alloc(32, 7))
    expect(await refusalOf(place)).toContain(
      `La llave ${secret(place, 'log.key')} no es la de esta base de datos`,
    )
    rmSync(secret(place, 'log.key'))
    expect(await refusalOf(place)).toContain(`Falta ${secret(place, 'log.key')}`)
    expect(existsSync(secret(place, 'log.key'))).toBe(false)
    writeFileSync(secret(place, 'log.key'), key)
    expect(await starting(place)).toBe('started')
  })

  test('keys: none can be learned from its fingerprint', async () => {
    const place = await anEmptyPlace(dialect)
    await starting(place)
    const known = await withDatabase(place, listKeyFingerprints)
    expect(known.size).toBe(3)
    for (const [name, fingerprint] of known) {
      expect(fingerprint).toHaveLength(16)
      expect(readFileSync(secret(place, name)).includes(Buffer.from(fingerprint))).toBe(false)
    }
  })

  test('keys: after a rotation a machine without the new key does not start; dropped keys are not missed', async () => {
    const place = await anEmptyPlace(dialect, 'apart')
    await anOfficeIn(place)
    const keys = place.variables.SECRETS_DIR!
    const old = `${keys}-old`
    cpSync(keys, old, { recursive: true })
    const rotate = (now: number, ...args: string[]) =>
      said(() => {
        for (const [name, value] of Object.entries(place.variables)) vi.stubEnv(name, value)
        return rotateKeys(args, place.data, now as never)
      })
    expect((await rotate(Date.now())).status).toBe(0)
    expect(await starting(place)).toBe('started')
    const behind = { ...place, variables: { ...place.variables, SECRETS_DIR: old } }
    expect(await refusalOf(behind)).toContain(`Falta ${path.join(old, 'sealing-2.key')}`)
    const { status, errors } = await said(() => {
      for (const [name, value] of Object.entries(behind.variables)) vi.stubEnv(name, value)
      return rotateKeys([], place.data)
    })
    expect([status, errors[0]]).toEqual([2, expect.stringContaining('Falta ')])
    expect(openSealingKeys(old).versions()).toEqual([1])

    expect((await rotate(Date.now() + 7_200_000, '--drop-old')).output[0]).toContain('sealing-1')
    expect(await starting(place)).toBe('started')
    const known = await withDatabase(place, listKeyFingerprints)
    expect([...known.keys()].toSorted()).toEqual(['log.key', 'master.key', 'sealing-2.key'])
  })
})

test('doctor: says why no process starts, and notes nothing', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place)
  const examined = () =>
    said(() => {
      for (const [name, value] of Object.entries(place.variables)) vi.stubEnv(name, value)
      return doctor([])
    })
  writeFileSync(storeId(place), 'another')
  const { status, errors } = await examined()
  expect([status, errors]).toEqual([1, [expect.stringContaining('es de otra base de datos')]])
  await withDatabase(place, (db) => db.transaction((trx) => trx.deleteFrom('file_store').execute()))
  rmSync(storeId(place))
  expect((await examined()).errors.join()).not.toContain('almacén')
  expect(await withDatabase(place, findFileStore)).toBeUndefined()
  expect(existsSync(storeId(place))).toBe(false)
})
