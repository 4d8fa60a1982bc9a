import { randomBytes } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import type { DialectName } from '#server/db/database.ts'
import { listStoredPaths } from '#server/db/documents/stored-paths.ts'
import { lockFile } from '#server/db/file-lock.ts'
import { seconds } from '#server/domain/time.ts'
import { checkLogs } from '#server/features/audit/check-log.ts'
import { checkpointLogs } from '#server/features/audit/checkpoint-log.ts'
import {
  aBackupKey,
  addDocument,
  anEmptyPlace,
  anOfficeIn,
  backupOf,
  bytesOf,
  keyFile,
  manifestsOf,
  type OfficePlace,
  restoreInto,
  rowsOf,
  withSystem,
} from '#tests/support/office/installation.ts'
import { readyTrust } from '#tests/support/office/signing-system.ts'
import { rubricaWith } from '#tests/support/processes/command-line.ts'

const key = aBackupKey()

beforeAll(readyTrust)

async function aBackup(place: OfficePlace, name: string, ...args: string[]): Promise<string> {
  const { status, errors } = await backupOf(
    place,
    '-o',
    name,
    '--recipient',
    key.recipient,
    ...args,
  )
  expect([status, errors]).toEqual([0, []])
  return path.join(path.dirname(place.data), name)
}

const files = (place: OfficePlace) =>
  withSystem(place, ({ db }) => listStoredPaths(db, { after: undefined, limit: 1000 }))

const PAIRS: [DialectName, DialectName][] = [
  ['sqlite', 'sqlite'],
  ['postgres', 'postgres'],
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
]

test.each(PAIRS)(
  'an office on %s comes back on %s, with its keys, and its log continues',
  async (from, to) => {
    const place = await anEmptyPlace(from, 'apart')
    const clerk = await anOfficeIn(place)
    const before = await withSystem(place, ({ db }) => rowsOf(db))
    const file = await aBackup(place, 'whole.age')
    expect(statSync(file).mode & 0o777).toBe(0o600)

    const target = await anEmptyPlace(to, 'apart')
    const { status, output, errors } = await restoreInto(target, '--identity', keyFile(place), file)
    expect([status, errors]).toEqual([0, []])
    expect(output[0]).toMatch(/^Se restauró .*whole\.age, del .*; archivos de documentos: 3\.$/)
    expect(output.join('\n')).toContain(
      'Archivos de documentos: 3; no falta ninguno y ninguno cambió.',
    )
    expect(readdirSync(target.data)).not.toContain('restoring')

    await withSystem(target, async (system) => {
      const after = await rowsOf(system.db)
      // The restore is an event of its own, and the backup is known.
      const { audit_events: log, backups, ...rest } = after
      const { audit_events: oldLog, backups: _, ...oldRest } = before
      expect(rest).toEqual(oldRest)
      expect(log!.slice(0, oldLog!.length)).toEqual(oldLog)
      expect(log!.map(({ action }) => action).slice(oldLog!.length)).toEqual(['backup.restored'])
      expect(backups).toHaveLength(1)
      for (const { id } of after.documents!)
        expect((await bytesOf(system, id as never)).length).toBeGreaterThan(500)
      await addDocument(system, clerk, 'Después')
      expect(await checkpointLogs(system, undefined, seconds(0))).toBeUndefined()
      expect(await checkLogs(system)).toBeUndefined()
    })
  },
)

const ANOTHER_OFFICE = [
  ...['--number', '45', '--entity', 'Jalisco', '--municipality', 'Guadalajara'],
  ...['--address', 'Av. Juárez 100', '--time-zone', 'America/Mexico_City'],
  ...['--name', 'Notaría 45 de Guadalajara', '--first-name', 'Ana', '--last-name', 'Ruiz Soto'],
  ...['--email', 'ana@notaria45.example', '--rfc', 'RUSA800101AB1'],
]

test('two offices, made by the command line, come back with their logs, keys and checkpoints', async () => {
  const place = await anEmptyPlace('sqlite', 'apart')
  await anOfficeIn(place)
  const run = (...args: string[]) => rubricaWith(place.variables, place.data, ...args)
  const made = run('office', 'create', ...ANOTHER_OFFICE)
  expect([made.status, made.errors]).toEqual([0, []])
  expect(made.output[1]).toMatch(/^http.*\/activate#[A-Z0-9-]+$/)
  expect(run('office', 'create', ...ANOTHER_OFFICE)).toMatchObject({ status: 1, output: [] })
  expect(run('office', 'create', '--number', '46').status).toBe(2)
  expect(run('office', 'list').output).toHaveLength(2)
  const unnamed = run('audit', 'export', '-o', 'log.jsonl')
  expect([unnamed.status, unnamed.errors.join('\n')]).toEqual([
    2,
    expect.stringMatching(/0 {2}De la instalación \(cerrada\)\n.*1 {2}.*\n.*2 {2}.*\n/),
  ])

  const file = await aBackup(place, 'whole.age')
  const target = await anEmptyPlace('sqlite', 'apart')
  const { status, errors } = await restoreInto(target, '--identity', keyFile(place), file)
  expect([status, errors]).toEqual([0, []])
  const checkpoints = (folder: string) => readdirSync(path.join(folder, 'audit')).toSorted()
  expect(checkpoints(target.data)).toEqual(checkpoints(place.data))
  expect(checkpoints(target.data)).toHaveLength(4)
  await withSystem(target, async (system) => {
    expect(await checkpointLogs(system, undefined, seconds(0))).toBeUndefined()
    expect(await checkLogs(system)).toBeUndefined()
  })
})

describe.each<DialectName>(['sqlite', 'postgres'])('%s', (dialect) => {
  test('an incremental backup is restored together with its base, in any order, and not without it', async () => {
    const place = await anEmptyPlace(dialect)
    const clerk = await anOfficeIn(place)
    const whole = await aBackup(place, 'whole.age')
    const [first] = manifestsOf(place)
    await withSystem(place, (system) => addDocument(system, clerk, 'Lunes'))
    const monday = await aBackup(place, 'monday.age', '--since', first!)
    await withSystem(place, (system) => addDocument(system, clerk, 'Martes'))
    const tuesday = await aBackup(place, 'tuesday.age', '--since', manifestsOf(place).at(-1)!)
    const expected = await files(place)

    const target = await anEmptyPlace(dialect)
    const identity = ['--identity', keyFile(place)]
    for (const part of [[tuesday], [tuesday, whole], [monday, tuesday]]) {
      const { status, errors } = await restoreInto(target, ...identity, ...part)
      expect(status).toBe(1)
      expect(errors[0]).toMatch(
        /^Falta un respaldo anterior: el del .* Indíquelo también\. No se restauró nada\.$/,
      )
    }
    expect(existsSync(target.data)).toBe(false)
    const { status, errors } = await restoreInto(target, ...identity, tuesday, whole, monday)
    expect([status, errors]).toEqual([0, []])
    expect(await files(target)).toEqual(expected)
    expect(expected).toHaveLength(5)
    expect(statSync(tuesday).size).toBeLessThan(statSync(whole).size)
  })

  test('a place with an office, or a database with tables, is left as it is', async () => {
    const place = await anEmptyPlace(dialect)
    await anOfficeIn(place, 1)
    const file = await aBackup(place, 'whole.age')
    const before = await withSystem(place, ({ db }) => rowsOf(db))
    const refused = await restoreInto(place, '--identity', keyFile(place), file)
    expect(refused.status).toBe(1)
    expect(refused.errors[0]).toMatch(/^La carpeta de datos no está vacía/)
    if (dialect === 'postgres') {
      const { DATABASE_URL } = place.variables
      const elsewhere = { ...(await anEmptyPlace('sqlite')) }
      elsewhere.variables.DATABASE_URL = DATABASE_URL!
      const { status, errors } = await restoreInto(elsewhere, '--identity', keyFile(place), file)
      expect([status, errors]).toEqual([
        1,
        [expect.stringMatching(/^La base de datos de DATABASE_URL no está vacía/)],
      ])
      expect(existsSync(elsewhere.data)).toBe(false)
    }
    expect(await withSystem(place, ({ db }) => rowsOf(db))).toEqual(before)
  })
})

test('another key, a file that was cut or changed, and something else are told apart, and leave nothing', async () => {
  const place = await anEmptyPlace('sqlite')
  const clerk = await anOfficeIn(place, 1)
  // Of several chunks.
  const large = randomBytes(150_000).toString('hex')
  await withSystem(place, (system) => addDocument(system, clerk, 'Acta', large))
  const file = await aBackup(place, 'whole.age')
  const target = await anEmptyPlace('sqlite')
  const changed = (name: string, change: (bytes: Buffer) => Buffer) => {
    const copy = path.join(path.dirname(file), name)
    writeFileSync(copy, change(readFileSync(file)))
    return copy
  }
  const flipped = (at: number) => (bytes: Buffer) => {
    bytes[at] = bytes[at]! ^ 1
    return bytes
  }
  const { size } = statSync(file)
  const cases: [string, RegExp][] = [
    [changed('cut.age', (bytes) => bytes.subarray(0, size - 1)), /incompleto o cambió/],
    [
      changed('chunk.age', (bytes) => bytes.subarray(0, size - (size % 65_552))),
      /incompleto o cambió/,
    ],
    [changed('more.age', (bytes) => Buffer.concat([bytes, Buffer.of(0)])), /incompleto o cambió/],
    [
      changed('flipped.age', flipped(size - 70_000 > 300 ? size - 70_000 : 300)),
      /incompleto o cambió/,
    ],
    [changed('end.age', flipped(size - 1)), /incompleto o cambió/],
    [
      changed('header.age', (bytes) => flipped(bytes.indexOf('\n--- ') + 7)(bytes)),
      /no es un respaldo, o su principio cambió/,
    ],
    [changed('empty.age', () => Buffer.alloc(0)), /no es un respaldo/],
    [changed('text.age', () => Buffer.from('hola')), /no es un respaldo/],
  ]
  for (const [one, sentence] of cases) {
    const { status, errors } = await restoreInto(target, '--identity', keyFile(place), one)
    expect([one, status, errors]).toEqual([one, 1, [expect.stringMatching(sentence)]])
    expect(existsSync(target.data) ? readdirSync(target.data) : []).toEqual([])
  }
  const other = keyFile(place, aBackupKey(8).identity)
  const { status, errors } = await restoreInto(target, '--identity', other, file)
  expect([status, errors[0]]).toEqual([1, expect.stringMatching(/no abre .*: se cifró para otra/)])
})

test('keys that are there must be those of the backup', async () => {
  const place = await anEmptyPlace('sqlite', 'apart')
  await anOfficeIn(place, 1)
  const file = await aBackup(place, 'whole.age')
  const target = await anEmptyPlace('sqlite', 'apart')
  const keys = target.variables.SECRETS_DIR!
  mkdirSync(keys)
  writeFileSync(path.join(keys, 'log.key'), Buffer.alloc(32, 1))
  const refused = await restoreInto(target, '--identity', keyFile(place), file)
  expect([refused.status, refused.errors[0]]).toEqual([
    1,
    expect.stringContaining('ya hay otra log.key'),
  ])
  expect(existsSync(target.data)).toBe(false)
  // The data was lost, and the keys were not.
  rmSync(keys, { recursive: true })
  mkdirSync(keys)
  for (const name of readdirSync(place.variables.SECRETS_DIR!))
    copyFileSync(path.join(place.variables.SECRETS_DIR!, name), path.join(keys, name))
  const { status, errors } = await restoreInto(target, '--identity', keyFile(place), file)
  expect([status, errors]).toEqual([0, []])
})

test('a second restore into a folder says that another one runs there, and leaves that one alone', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 1)
  const file = await aBackup(place, 'whole.age')
  const target = await anEmptyPlace('sqlite')
  const half = path.join(target.data, 'restoring/blobs/half')
  mkdirSync(path.dirname(half), { recursive: true })
  writeFileSync(half, 'half')
  const release = lockFile(path.join(target.data, 'restoring.lock'))
  const again = () => restoreInto(target, '--identity', keyFile(place), file)
  for (const moved of [false, true]) {
    if (moved) mkdirSync(path.join(target.data, 'blobs'))
    const { status, errors } = await again()
    expect([status, errors]).toEqual([
      1,
      [
        `Otra restauración está en curso en ${target.data}. Espere a que termine, o indique otra carpeta en DATA_DIR. No se restauró nada.`,
      ],
    ])
  }
  expect(readFileSync(half, 'utf8')).toBe('half')
  release?.()
  rmSync(path.join(target.data, 'blobs'), { recursive: true })
  expect((await again()).status).toBe(0)
})

test('an interrupted restore: its remains are removed and do not count', async () => {
  const place = await anEmptyPlace('sqlite')
  await anOfficeIn(place, 1)
  const file = await aBackup(place, 'whole.age')
  const target = await anEmptyPlace('sqlite')
  mkdirSync(path.join(target.data, 'restoring/blobs'), { recursive: true })
  writeFileSync(path.join(target.data, 'restoring/blobs/half'), 'half')
  writeFileSync(path.join(target.data, 'restoring.lock'), '')
  const { status } = await restoreInto(target, '--identity', keyFile(place), file)
  expect(status).toBe(0)
  expect(readdirSync(target.data).toSorted()).toEqual([
    'audit',
    'backups',
    'blobs',
    'rubrica.sqlite',
    'secrets',
  ])
})
