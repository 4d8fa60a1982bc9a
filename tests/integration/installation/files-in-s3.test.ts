import { existsSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { openStore } from '#server/adapters/blobs/open-stores.ts'
import type { S3Place } from '#server/adapters/blobs/s3-objects.ts'
import { blobsMigrate } from '#server/cli/blobs/blobs-migrate.ts'
import { doctor } from '#server/cli/doctor.ts'
import { compose } from '#server/compose.ts'
import { ConfigurationError, readConfig } from '#server/config.ts'
import type { DialectName } from '#server/db/database.ts'
import { listStoredPaths } from '#server/db/documents/stored-paths.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import type { System } from '#server/system.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { filesIn } from '#tests/support/blob-folder.ts'
import { asPerson, MORNING, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { namesIn } from '#tests/support/each-store.ts'
import { faultyProxy } from '#tests/support/faulty-proxy.ts'
import {
  aBackupKey,
  addDocument,
  anEmptyPlace,
  anOfficeIn,
  backupOf,
  bytesOf,
  keyFile,
  type OfficePlace,
  restoreInto,
  withSystem,
} from '#tests/support/office/installation.ts'
import { readyTrust, signAs, testTrust } from '#tests/support/office/signing-system.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { swiftServer } from '#tests/support/swift-of-tests.ts'

const swift = swiftServer()
const key = aBackupKey()

beforeAll(readyTrust)

/** The library of AWS reads its own variables. Commands under test restore those that were set by `vi.stubEnv`. */
beforeEach(async () => {
  Object.assign(process.env, swift().access)
})
afterEach(() => {
  for (const name of Object.keys(swift().access)) delete process.env[name]
})

/** An empty place whose files go to a new bucket. */
async function aPlaceInS3(dialect: DialectName): Promise<OfficePlace & { bucket: S3Place }> {
  const place = await anEmptyPlace(dialect)
  const bucket = await swift().newPlace()
  return { ...inBucket(place, bucket), bucket }
}

function inBucket(place: OfficePlace, bucket: S3Place): OfficePlace {
  return { ...place, variables: { ...place.variables, ...swift().variables(bucket) } }
}

const without = (place: OfficePlace, ...names: string[]): OfficePlace => ({
  ...place,
  variables: Object.fromEntries(
    Object.entries(place.variables).filter(([name]) => !names.includes(name)),
  ),
})
const withValues = (place: OfficePlace, values: Record<string, string>): OfficePlace => ({
  ...place,
  variables: { ...place.variables, ...values },
})

function inPlace({ variables }: OfficePlace, command: () => Promise<number>) {
  return said(() => {
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    return command()
  })
}
const migrated = (place: OfficePlace, ...args: string[]) => inPlace(place, () => blobsMigrate(args))
const examined = (place: OfficePlace, ...args: string[]) => inPlace(place, () => doctor(args))

const pathsOf = (place: OfficePlace) =>
  withSystem(place, ({ db }) => listStoredPaths(db, { after: undefined, limit: 1000 }))
const storedIn = (folder: string) =>
  filesIn(folder).filter((file) => !/incoming|store-id/.test(file))

test('two machines on PostgreSQL: uploaded on one, signed on the other, verified and downloaded on both', async () => {
  const one = await aPlaceInS3('postgres')
  const other = await anEmptyPlace('sqlite')
  const two = withValues(one, {
    DATA_DIR: other.data,
    SECRETS_DIR: path.join(one.data, 'secrets'),
  })
  const first = await compose(readConfig('start', one.variables))
  const second = await compose(readConfig('start', two.variables))
  try {
    const clock = { now: () => MORNING }
    const here: System = { ...first.system, trust: testTrust, clock }
    const there: System = { ...second.system, trust: testTrust, clock }
    const office = await storedOffice(here.db)
    const user = await storedUser(here.db, office, ['NOTARY'], {
      ...{ capacity: 'titular', rfc: 'MULA800101AB1' },
      ...{ firstName: 'Ana María', lastName: 'Muñoz López' },
    })
    const document = await addDocument(here, user, 'Poder')
    await signAs(there, asPerson(user), await testEfirma(), document)
    const bytes = await bytesOf(there, document.id)
    expect(bytes.length).toBeGreaterThan(10_000)
    for (const system of [here, there]) {
      expect(await bytesOf(system, document.id)).toEqual(bytes)
      const verified = await readVerification(system, stranger(), { id: document.id })
      expect(verified).toMatchObject({ report: { verdict: 'VALID' } })
    }
    for (const data of [one.data, other.data])
      expect(storedIn(path.join(data, 'blobs'))).toEqual([])
  } finally {
    await first.close()
    await second.close()
  }
})

test('a store that does not answer: the start says so, and what to look at', async () => {
  const proxy = await faultyProxy(swift().endpoint)
  const place = inBucket(await anEmptyPlace('sqlite'), await swift().newPlace(proxy.endpoint))
  process.env.AWS_ENDPOINT_URL_S3 = proxy.endpoint
  proxy.failing(() => ({ kind: 'reset' }))
  const starting = compose(readConfig('start', place.variables))
  await expect(starting).rejects.toThrow(ConfigurationError)
  await expect(starting).rejects.toThrow(/^No se pudo usar el almacén de archivos s3:\/\/notaria/)
})

test('wrong credentials, or no such bucket: the start says so', async () => {
  const place = await aPlaceInS3('sqlite')
  process.env.AWS_SECRET_ACCESS_KEY = 'another'
  await expect(compose(readConfig('start', place.variables))).rejects.toThrow(
    'SignatureDoesNotMatch',
  )
  Object.assign(process.env, swift().access)
  const absent = inBucket(await anEmptyPlace('sqlite'), { ...place.bucket, bucket: 'absent' })
  await expect(compose(readConfig('start', absent.variables))).rejects.toThrow('NoSuchBucket')
})

test('doctor: reads what lies in the store, and not the copies of this machine', async () => {
  const place = await aPlaceInS3('sqlite')
  await anOfficeIn(place)
  expect((await examined(place, '--all')).output.join()).toContain('Archivos de documentos: 3;')
  const [lost] = await pathsOf(place)
  const cache = path.join(place.data, 'blobs-cache')
  expect(readdirSync(cache)).toContain(lost!.replaceAll('/', '_'))
  const store = await openStore(place.bucket, { folder: place.data, cache: null })
  await store.remove(lost!)
  const { status, errors } = await examined(place, '--all')
  expect([status, errors[0]]).toEqual([1, expect.stringContaining('que faltan: 1;')])
})

describe('a backup of files in S3', () => {
  test.each<[DialectName, 'S3' | 'folder']>([
    ['sqlite', 'folder'],
    ['postgres', 'S3'],
  ])('%s: is restored into %s', async (dialect, kind) => {
    const place = await aPlaceInS3(dialect)
    await anOfficeIn(place)
    const made = await backupOf(place, '-o', 'whole.age', '--recipient', key.recipient)
    expect([made.status, made.errors]).toEqual([0, []])
    const file = path.join(path.dirname(place.data), 'whole.age')
    const target = kind === 'S3' ? await aPlaceInS3(dialect) : await anEmptyPlace(dialect)
    const { status, errors } = await restoreInto(target, '--identity', keyFile(place), file)
    expect([status, errors]).toEqual([0, []])
    const documents = await withSystem(place, ({ db }) =>
      db.selectFrom('documents').select('id').execute(),
    )
    for (const { id } of documents)
      expect(await withSystem(target, (system) => bytesOf(system, id as never))).toEqual(
        await withSystem(place, (system) => bytesOf(system, id as never)),
      )
    expect(storedIn(path.join(target.data, 'blobs'))).toHaveLength(kind === 'S3' ? 0 : 3)
  })

  test('is not restored into a bucket that has an installation', async () => {
    const place = await aPlaceInS3('sqlite')
    await anOfficeIn(place, 1)
    await backupOf(place, '-o', 'whole.age', '--recipient', key.recipient)
    const file = path.join(path.dirname(place.data), 'whole.age')
    const target = inBucket(await anEmptyPlace('sqlite'), place.bucket)
    const { status, errors } = await restoreInto(target, '--identity', keyFile(place), file)
    expect([status, errors[0]]).toEqual([1, expect.stringContaining('ya es de una instalación')])
    expect(existsSync(path.join(target.data, 'rubrica.sqlite'))).toBe(false)
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('blobs migrate (%s)', (dialect) => {
  test('moves a folder to S3 and back while the office works; each step says the next', async () => {
    const place = await anEmptyPlace(dialect)
    const clerk = await anOfficeIn(place)
    const bucket = await swift().newPlace()
    const url = swift().variables(bucket).BLOBS_URL!
    const access = without(inBucket(place, bucket), 'BLOBS_URL')
    const all = (now: OfficePlace) =>
      withSystem(now, async (system) => {
        const documents = await system.db.selectFrom('documents').select('id').execute()
        for (const { id } of documents) await bytesOf(system, id as never)
        return documents.length
      })

    const first = await migrated(access, '--to', url)
    expect([first.status, first.errors]).toEqual([0, []])
    expect(first.output[0]).toMatch(/^Archivos copiados a s3:.*: 3; ya estaban: 0\.$/)
    expect(first.output[1]).toContain(`BLOBS_URL=${url} y BLOBS_ALSO=folder`)

    const alone = withValues(access, { BLOBS_URL: url })
    await expect(compose(readConfig('start', alone.variables))).rejects.toThrow('store-id')

    // A machine after the other: what each writes, the others read.
    const before = withValues(access, { BLOBS_ALSO: url })
    const after = withValues(access, { BLOBS_URL: url, BLOBS_ALSO: 'folder' })
    await withSystem(before, (system) => addDocument(system, clerk, 'Entre tanto'))
    await withSystem(after, (system) => addDocument(system, clerk, 'Después'))
    for (const now of [before, after]) expect(await all(now)).toBe(5)

    const second = await migrated(after, '--to', url)
    expect(second.output[0]).toMatch(/: 1; ya estaban: 4\.$/)
    expect(second.output[1]).toContain('Quite BLOBS_ALSO')
    const inS3 = withValues(access, { BLOBS_URL: url })
    expect(await all(inS3)).toBe(5)
    // It would miss what was stored since.
    await expect(compose(readConfig('start', access.variables))).rejects.toThrow('store-id')
    expect(await all(after)).toBe(5)

    const folder = path.join(place.data, 'blobs')
    expect(storedIn(folder)).toHaveLength(4)
    const third = await migrated(after, '--to', url, '--remove-source')
    expect(third.output.at(-1)).toContain('Archivos quitados de')
    expect(storedIn(folder)).toEqual([])
    expect(await all(inS3)).toBe(5)
    await expect(compose(readConfig('start', access.variables))).rejects.toThrow(
      'le falta la identificación store-id',
    )

    const back = await migrated(inS3, '--to', 'folder')
    expect(back.output[0]).toMatch(/: 5; ya estaban: 0\.$/)
    const home = withValues(access, { BLOBS_ALSO: url })
    const again = await migrated(home, '--to', 'folder')
    expect(again.output.at(-1)).toContain(`Todos los archivos están en ${folder}.`)
    expect((await migrated(home, '--to', 'folder', '--remove-source')).status).toBe(0)
    expect(await all(access)).toBe(5)
    expect(await namesIn(bucket)).toEqual([])
  })

  test('an office of an early release, whose files no row names, does not start on an empty bucket', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place)
    await withSystem(place, ({ db }) =>
      db.transaction(async (trx) => {
        for (const table of ['stored_files', 'file_store'] as const)
          await trx.deleteFrom(table).execute()
      }),
    )
    const inS3 = inBucket(place, await swift().newPlace())
    await expect(compose(readConfig('start', inS3.variables))).rejects.toThrow(
      'una versión anterior',
    )
  })

  test('a file that is missing, a store of another database, an option out of place: said, and nothing is removed', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place)
    const bucket = await swift().newPlace()
    const url = swift().variables(bucket).BLOBS_URL!
    const access = without(inBucket(place, bucket), 'BLOBS_URL')
    const early = await migrated(access, '--to', url, '--remove-source')
    expect([early.status, early.errors[0]]).toEqual([2, expect.stringContaining('--remove-source')])

    const taken = await aPlaceInS3('sqlite')
    await anOfficeIn(taken, 1)
    const other = await migrated(access, '--to', taken.variables.BLOBS_URL!)
    expect([other.status, other.errors[0]]).toEqual([
      2,
      expect.stringContaining('es de otra base de datos'),
    ])

    const [lost] = await pathsOf(access)
    rmSync(path.join(place.data, 'blobs', lost!))
    const { status, errors, output } = await migrated(access, '--to', url)
    expect([status, errors[0]]).toEqual([1, expect.stringMatching(/^Faltan 1 archivos/)])
    expect(output[0]).toMatch(/: 2; ya estaban: 0\.$/)
    expect(await namesIn(bucket)).not.toContain('store-id')
    expect((await migrated(access, '--to', 'folder')).errors[0]).toContain('ya están en')
    expect((await migrated(access, '--to', 'ftp://x')).errors[0]).toContain('no es un lugar')
    expect((await migrated(access)).errors[0]).toContain('--to LUGAR')
  })
})
