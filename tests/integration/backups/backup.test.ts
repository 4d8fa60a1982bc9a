import { spawn } from 'node:child_process'
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { listBackups } from '#server/db/backups/backups.ts'
import type { DialectName } from '#server/db/database.ts'
import { listStoredPaths } from '#server/db/documents/stored-paths.ts'
import { judge } from '#tests/support/judges.ts'
import {
  aBackupKey,
  addDocument,
  anEmptyPlace,
  anOfficeIn,
  backupOf,
  keyFile,
  manifestsOf,
  type OfficePlace,
  restoreInto,
  withSystem,
} from '#tests/support/office/installation.ts'
import { readyTrust } from '#tests/support/office/signing-system.ts'
import { RELEASES, restoreRelease } from '#tests/support/released-office.ts'

const { recipient } = aBackupKey()
const to = ['--recipient', recipient]

beforeAll(readyTrust)

const besides = ({ data }: OfficePlace, name: string) => path.join(path.dirname(data), name)

const events = (place: OfficePlace) =>
  withSystem(place, ({ db }) =>
    db.selectFrom('audit_events').select(['action', 'actor']).orderBy('seq', 'desc').execute(),
  )

describe.each<DialectName>(['sqlite', 'postgres'])('%s', (dialect) => {
  test('a backup is known to the office and its log, and says where its list is', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place)
    const { status, output, errors } = await backupOf(place, '-o', 'whole.age', ...to)
    expect([status, errors]).toEqual([0, []])
    expect(output).toEqual([
      expect.stringMatching(/^Respaldo completo: whole\.age, \d+ KB; archivos de documentos: 3\.$/),
      `Su lista, para el siguiente (--since): ${manifestsOf(place)[0]}`,
    ])
    const [known] = await withSystem(place, ({ db }) => listBackups(db, 10))
    const { size } = statSync(besides(place, 'whole.age'))
    expect(known).toMatchObject({ since: null, recipient, bytes: size, files: 3, missing: 0 })
    expect((await events(place))[0]).toEqual({ action: 'backup.made', actor: expect.any(String) })
  })

  test('two at once: both are whole', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place)
    const outcomes = await Promise.all([
      backupProcess(place, '-o', 'one.age', ...to).ended,
      backupProcess(place, '-o', 'two.age', ...to).ended,
    ])
    expect(outcomes).toEqual([0, 0])
    for (const name of ['one.age', 'two.age']) {
      const target = await anEmptyPlace(dialect)
      const { status } = await restoreInto(
        target,
        '--identity',
        keyFile(place),
        besides(place, name),
      )
      expect(status).toBe(0)
    }
    expect(await withSystem(place, ({ db }) => listBackups(db, 10))).toHaveLength(2)
  })

  test('while documents are uploaded: the state that comes back is one that was', async () => {
    const place = await anEmptyPlace(dialect)
    const clerk = await anOfficeIn(place)
    await withSystem(place, async (system) => {
      const process = backupProcess(place, '-o', 'whole.age', ...to)
      const isOver = { value: false }
      const finished = process.ended.finally(() => {
        isOver.value = true
      })
      let added = 0
      for (; !isOver.value || added < 3; added += 1) await addDocument(system, clerk, `A ${added}`)
      expect(await finished).toBe(0)
    })
    const target = await anEmptyPlace(dialect)
    const { status, errors } = await restoreInto(
      target,
      '--identity',
      keyFile(place),
      besides(place, 'whole.age'),
    )
    expect([status, errors]).toEqual([0, []])
  })
})

test('a backup opened by age and tar has rows as text, the stored files and the keys', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place)
  await backupOf(place, '-o', 'whole.age', ...to)
  const folder = besides(place, 'opened')
  mkdirSync(folder)
  const archive = besides(place, 'whole.tar')
  const age = judge('age')
  expect(age('-d', '-i', keyFile(place), '-o', archive, besides(place, 'whole.age')).status).toBe(0)
  expect(judge('tar')('-xf', archive, '-C', folder).status).toBe(0)
  const users = gunzipSync(readFileSync(path.join(folder, 'database/users/000001.jsonl.gz')))
  expect(users.toString().trim().split('\n')).toHaveLength(2)
  const keys = readdirSync(path.join(folder, 'secrets')).toSorted()
  expect(keys).toEqual(['log.key', 'master.key', 'sealing-1.key'])
  for (const name of keys)
    expect(readFileSync(path.join(folder, 'secrets', name))).toEqual(
      readFileSync(path.join(place.data, 'secrets', name)),
    )
  const paths = await withSystem(place, ({ db }) =>
    listStoredPaths(db, { after: undefined, limit: 10 }),
  )
  expect(paths).toHaveLength(3)
  for (const one of paths)
    expect(readFileSync(path.join(folder, 'files', one))).toEqual(
      readFileSync(path.join(place.data, 'blobs', one)),
    )
  const manifest = readFileSync(path.join(folder, 'manifest.jsonl'))
  expect(manifest).toEqual(readFileSync(manifestsOf(place)[0]!))
  // Nothing of it can be read without the key.
  const sealed = readFileSync(besides(place, 'whole.age')).toString('latin1')
  for (const secret of ['manifest.jsonl', 'master.key', 'respaldo.json'])
    expect(sealed).not.toContain(secret)
})

test('a stored file that is gone: the rest is backed up, and said', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place)
  const [lost] = await withSystem(place, ({ db }) =>
    listStoredPaths(db, { after: undefined, limit: 10 }),
  )
  rmSync(path.join(place.data, 'blobs', lost!))
  const { status, errors } = await backupOf(place, '-o', 'whole.age', ...to)
  expect([status, errors[0]]).toEqual([1, expect.stringMatching(/^Faltaban 1 archivos/)])
  const target = await anEmptyPlace('sqlite')
  const restored = await restoreInto(
    target,
    '--identity',
    keyFile(place),
    besides(place, 'whole.age'),
  )
  expect([restored.status, restored.errors]).toEqual([
    1,
    [expect.stringMatching(/^✗ Archivos de documentos que faltan: 1;/)],
  ])
})

test('all keys of the installation are in a backup, and no other files of their folder', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 1)
  openSealingKeys(path.join(place.data, 'secrets')).add()
  writeFileSync(path.join(place.data, 'secrets/tls.pem'), 'of another program')
  await backupOf(place, '-o', 'whole.age', ...to)
  const target = await anEmptyPlace('sqlite')
  await restoreInto(target, '--identity', keyFile(place), besides(place, 'whole.age'))
  expect(readdirSync(path.join(target.data, 'secrets')).toSorted()).toEqual([
    'log.key',
    'master.key',
    'sealing-1.key',
    'sealing-2.key',
  ])
})

test('without the keys of the office nothing is written or recorded', async () => {
  const place = await anEmptyPlace('sqlite', 'apart')
  await anOfficeIn(place, 1)
  const other = await anEmptyPlace('sqlite', 'apart')
  await anOfficeIn(other, 1)
  const empty = besides(place, 'empty')
  mkdirSync(empty)
  const cases: [string, RegExp][] = [
    [besides(place, 'nowhere'), /No hay llaves en .*: revise DATA_DIR y SECRETS_DIR/],
    [empty, /No hay llaves en .*: revise DATA_DIR y SECRETS_DIR/],
    [besides(other, 'keys'), /son de otra instalación: revise DATA_DIR y SECRETS_DIR/],
  ]
  for (const [secrets, sentence] of cases) {
    const variables = { ...place.variables, SECRETS_DIR: secrets }
    const { status, errors } = await backupOf({ ...place, variables }, '-o', 'x.age', ...to)
    expect([secrets, status, errors.at(-1)]).toEqual([secrets, 2, expect.stringMatching(sentence)])
  }
  expect(readdirSync(path.dirname(place.data))).not.toContain('x.age')
  expect(readdirSync(empty)).toEqual([])
  expect(await withSystem(place, ({ db }) => listBackups(db, 10))).toEqual([])
})

test('a sealing key that is gone: the rest is backed up, and said', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 1)
  const secrets = path.join(place.data, 'secrets')
  openSealingKeys(secrets).add()
  rmSync(path.join(secrets, 'sealing-1.key'))
  const { status, errors } = await backupOf(place, '-o', 'whole.age', ...to)
  expect([status, errors]).toEqual([1, [expect.stringMatching(/^Faltan llaves .* N: 1\)/)]])
  expect(readdirSync(path.dirname(place.data))).toContain('whole.age')
})

test('a backup that is killed leaves the file of before or a whole one, and the next one is whole', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 2)
  const file = besides(place, 'whole.age')
  const restore = async () => {
    const target = await anEmptyPlace('sqlite')
    return (await restoreInto(target, '--identity', keyFile(place), file)).status
  }
  const left: string[] = []
  for (const wait of [150, 300, 450, 600]) {
    writeFileSync(file, 'of yesterday')
    const process = backupProcess(place, '-o', 'whole.age', ...to)
    await pause(wait)
    process.kill()
    await process.ended
    const isOld = readFileSync(file, 'utf8') === 'of yesterday'
    left.push(isOld ? 'old' : `restored with ${await restore()}`)
  }
  // No program starts in so short a time.
  expect(left[0]).toBe('old')
  expect(left.filter((one) => one !== 'old' && one !== 'restored with 0')).toEqual([])
  const folder = path.join(place.data, 'backups')
  mkdirSync(folder, { recursive: true })
  const litter = path.join(folder, 'old.unfinished')
  writeFileSync(litter, '')
  utimesSync(litter, new Date(0), new Date(0))
  expect((await backupOf(place, '-o', 'whole.age', ...to)).status).toBe(0)
  expect(readdirSync(folder)).not.toContain('old.unfinished')
  expect(await restore()).toBe(0)
})

test('a database of an earlier release is neither backed up nor changed', async () => {
  const place = await anEmptyPlace('sqlite')
  mkdirSync(place.data)
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, place.data)
  const steps = () => {
    const db = new Sqlite(path.join(place.data, 'rubrica.sqlite'))
    const names = db.prepare('select name from kysely_migration').pluck().all()
    db.close()
    return names
  }
  const before = steps()
  const { status, errors } = await backupOf(place, '-o', 'whole.age', ...to)
  expect([status, errors[0]]).toEqual([2, expect.stringContaining('es de una versión anterior')])
  expect(steps()).toEqual(before)
  expect(readdirSync(path.dirname(place.data))).not.toContain('whole.age')
})

test('wrong use is told, and nothing is written', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 1)
  const text = besides(place, 'text')
  writeFileSync(text, 'hola')
  const cut = besides(place, 'cut')
  await backupOf(place, '-o', 'first.age', ...to)
  const manifest = readFileSync(manifestsOf(place)[0]!)
  writeFileSync(cut, manifest.subarray(0, manifest.lastIndexOf('\n', manifest.length - 2) + 1))
  const cases: [string[], RegExp][] = [
    [['-o', 'x.age'], /--recipient/],
    [to, /-o ARCHIVO/],
    [['-o', 'x.age', '--recipient', aBackupKey().identity], /no es una llave pública/],
    [['-o', 'x.age', '--recipient', recipient.replace(/.$/, 'q')], /no es una llave pública/],
    [['-o', 'x.age', ...to, '--since', 'nothing'], /No se puede leer nothing/],
    [['-o', 'x.age', ...to, '--since', text], /no es la lista de un respaldo/],
    [['-o', 'x.age', ...to, '--since', cut], /no es la lista de un respaldo, o está incompleta/],
    [['-o', 'nowhere/x.age', ...to], /No se puede escribir nowhere/],
  ]
  for (const [args, sentence] of cases) {
    const { status, errors } = await backupOf(place, ...args)
    expect([args, status, errors.at(-1)]).toEqual([args, 2, expect.stringMatching(sentence)])
  }
  expect(readdirSync(path.dirname(place.data)).filter((name) => name.startsWith('x.'))).toEqual([])
  expect(readdirSync(path.join(place.data, 'backups'))).toHaveLength(1)
})

test('a wrong folder gets no database', async () => {
  const place = await anEmptyPlace('sqlite')
  const { status, errors } = await backupOf(place, '-o', 'x.age', ...to)
  expect([status, errors[0]]).toEqual([2, expect.stringContaining('revise DATA_DIR')])
})

/** The command as a process of its own, beside this one. */
function backupProcess({ data, variables }: OfficePlace, ...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/cli/rubrica.ts', 'backup', ...args],
    {
      env: { ...process.env, ...variables, INIT_CWD: path.dirname(data) },
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  )
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { ended, kill: () => child.kill('SIGKILL') }
}
