import {
  cpSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { doctor } from '#server/cli/doctor.ts'
import { openDatabase } from '#server/db/database.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { RELEASES, restoreRelease } from '#tests/support/released-office.ts'

function anEmptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-doctor-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const examined = (folder: string, variables: Record<string, string>, ...args: string[]) =>
  said(() => {
    vi.stubEnv('DATA_DIR', folder)
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    return doctor(args)
  })

/** An office without its documents and without its authority of timestamps. */
async function anOffice(): Promise<string> {
  const folder = anOfficeOfBefore()
  const db = openDatabase(databaseIn(folder))
  await db.migrate().finally(() => db.close())
  return folder
}

function anOfficeOfBefore(): string {
  const folder = anEmptyFolder()
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, folder)
  return folder
}

const databaseIn = (folder: string) => path.join(folder, 'rubrica.sqlite')

test('an office without its files: the faults are told apart, and status is 1', async () => {
  const { status, output, errors } = await examined(await anOffice(), {})
  expect(status).toBe(1)
  expect(errors[0]).toMatch(/^✗ Archivos de documentos que faltan: 17; el primero es/)
  expect(errors[1]).toMatch(/^✗ .*: ninguna autoridad dio un sello de tiempo/)
  expect(errors).toHaveLength(2)
  expect(output.map((line) => line.slice(0, 24))).toEqual([
    '✓ La bitácora está compl',
    '✓ Están todas las llaves',
    '! Las llaves están dentr',
    expect.stringMatching(/^✓ Hay espacio/),
    '! No hay servidor de cor',
  ])
})

test('each finding is an object for programs', async () => {
  const { output } = await examined(await anOffice(), {}, '--json')
  const codes = output.map((line) => (JSON.parse(line) as { code: string; level: string }).code)
  expect(codes).toEqual([
    'log-holds',
    'files-missing',
    'keys-held',
    'secrets-beside-data',
    'disk-free',
    'mail-missing',
    'timestamps-silent',
  ])
})

test('keys apart from the data: no warning', async () => {
  const folder = await anOffice()
  const secrets = path.join(anEmptyFolder(), 'keys')
  cpSync(path.join(folder, 'secrets'), secrets, { recursive: true })
  const { output } = await examined(folder, { SECRETS_DIR: secrets })
  expect(output.join()).not.toContain('Las llaves están dentro')
  expect(statSync(secrets).mode & 0o777).toBe(0o700)
})

test('a wrong folder gets no database', async () => {
  const folder = anEmptyFolder()
  const { status, errors } = await examined(folder, {})
  expect([status, errors[0]]).toEqual([2, expect.stringContaining('revise DATA_DIR')])
  expect(readdirSync(folder)).toEqual([])
})

describe('an installation on which the server does not start: a finding, also for programs', () => {
  const damage: [string, (folder: string) => void, RegExp][] = [
    [
      'the key of the log',
      (folder) => rmSync(path.join(folder, 'secrets/log.key')),
      /^Falta .*log\.key/,
    ],
    [
      'half of the database',
      (folder) => truncateSync(databaseIn(folder), 40_000),
      /^La base de datos de .* está dañada \(SQLITE_CORRUPT\)/,
    ],
    [
      'the database for something else',
      (folder) => writeFileSync(databaseIn(folder), 'something else'),
      /^La base de datos de .* está dañada \(SQLITE_NOTADB\)/,
    ],
  ]
  test.each(damage)('%s', async (_, spoil, sentence) => {
    const folder = await anOffice()
    spoil(folder)
    const { status, errors } = await examined(folder, {})
    expect([status, errors]).toEqual([1, [expect.stringMatching(`^✗ ${sentence.source.slice(1)}`)]])
    const { output } = await examined(folder, {}, '--json')
    expect(output.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        code: 'does-not-start',
        level: 'fault',
        sentence: expect.stringMatching(sentence),
      }),
    ])
  })
})

test('a database of an earlier release is not migrated', async () => {
  const folder = anOfficeOfBefore()
  const steps = () => {
    const db = new Sqlite(databaseIn(folder))
    const names = db.prepare('select name from kysely_migration').pluck().all()
    db.close()
    return names
  }
  const before = steps()
  const { status, errors } = await examined(folder, {})
  expect([status, errors.at(-1)]).toEqual([2, expect.stringContaining('versión anterior')])
  expect(steps()).toEqual(before)
})
