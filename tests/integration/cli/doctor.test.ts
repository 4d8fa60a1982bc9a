import { randomBytes, randomUUID } from 'node:crypto'
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
import { openLogKeys } from '#server/adapters/log-key.ts'
import { openSealingKeys } from '#server/adapters/sealing-keys.ts'
import { createVault } from '#server/adapters/vault.ts'
import { doctor } from '#server/cli/doctor.ts'
import { openDatabase } from '#server/db/database.ts'
import { addOfficeKey as addKey } from '#server/db/documents/office-keys.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { signCheckpoint } from '#server/domain/audit/checkpoint.ts'
import { newOfficeKey, OFFICE_KEY_BYTES } from '#server/domain/documents/file-keys.ts'
import { OfficeKeyId, Sha256 } from '#server/domain/ids.ts'
import { parseInstant } from '#server/domain/time.ts'
import { FIRST } from '#tests/support/office/log-events.ts'
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
  const folder = anEmptyFolder()
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, folder)
  const db = openDatabase(databaseIn(folder))
  await db.migrate().finally(() => db.close())
  return folder
}

const databaseIn = (folder: string) => path.join(folder, 'rubrica.sqlite')

test('an office without its files: the faults are told apart, and status is 1', async () => {
  const { status, output, errors } = await examined(await anOffice(), {})
  expect(status).toBe(1)
  expect(errors[0]).toMatch(/^✗ Archivos de documentos que faltan: 17; el primero es/)
  expect(errors[1]).toMatch(/^✗ .*: ninguna autoridad dio un sello de tiempo/)
  expect(errors[2]).toMatch(/^✗ .*, que da las constancias, no responde/)
  expect(errors).toHaveLength(3)
  expect(output.map((line) => line.slice(0, 24))).toEqual([
    '✓ La bitácora está compl',
    '✓ Están todas las llaves',
    '! Las llaves están dentr',
    expect.stringMatching(/^✓ Hay espacio/),
    '! No hay servidor de cor',
    '! No hay ningún respaldo',
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
    'constancias-unreachable',
    'backup-missing',
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

const alertsIn = (folder: string) => {
  const db = new Sqlite(databaseIn(folder))
  const kinds = db.prepare('select kind from alerts order by id').pluck().all()
  db.close()
  return kinds
}

/** As if a document had been uploaded. */
async function addOfficeKey(folder: string): Promise<void> {
  const vault = createVault(openSealingKeys(path.join(folder, 'secrets')))
  const db = openDatabase(databaseIn(folder))
  const [office] = await listOffices(db)
  const made = {
    ...{ id: OfficeKeyId.parse(randomUUID()), officeId: office!.id },
    ...{ number: 1, madeAt: parseInstant('2026-11-20T12:00:00Z') },
  }
  const key = newOfficeKey(made, (place) => vault.seal(randomBytes(OFFICE_KEY_BYTES), place))
  await db.transaction((trx) => addKey(trx, key)).finally(() => db.close())
}

test('with the keys of another installation the log is broken, and no office is alerted', async () => {
  const folder = await anOffice()
  await addOfficeKey(folder)
  const secrets = path.join(anEmptyFolder(), 'keys')
  openLogKeys(secrets)
  openSealingKeys(secrets)
  const before = alertsIn(folder)
  const { status, output, errors } = await examined(folder, { SECRETS_DIR: secrets })
  expect([status, ...errors.slice(0, 2)]).toEqual([
    1,
    `✗ Las llaves de ${secrets} no abren nada de lo cifrado: parecen de otra instalación. Revise DATA_DIR y SECRETS_DIR; las demás faltas pueden deberse a eso.`,
    expect.stringMatching(/^✗ La bitácora no coincide con lo que se firmó\./),
  ])
  expect(output.join()).not.toContain('Están todas las llaves')
  expect(alertsIn(folder)).toEqual(before)
})

test('a forged checkpoint does not look like wrong keys: the offices are alerted', async () => {
  const folder = await anOffice()
  await addOfficeKey(folder)
  const forger = openLogKeys(path.join(anEmptyFolder(), 'keys'))(FIRST)
  const db = new Sqlite(databaseIn(folder))
  const size = Number(db.prepare('select count(*) from audit_events').pluck().get())
  const root = Sha256.parse('0'.repeat(64))
  const note = signCheckpoint({ size: size + 1, root }, forger)
  db.prepare('insert into audit_checkpoints values (?, ?, ?, ?)').run(size + 1, root, note, 0)
  db.close()
  const { status, errors } = await examined(folder, {})
  expect([status, errors[0]]).toEqual([1, expect.stringContaining('La bitácora no coincide')])
  expect(errors.join()).not.toContain('otra instalación')
  expect(alertsIn(folder)).toContain('audit-check-failed')
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
