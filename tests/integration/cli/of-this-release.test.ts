import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished, test, vi } from 'vitest'
import { auditExport } from '#server/cli/audit-export.ts'
import { doctor } from '#server/cli/doctor.ts'
import { liftLock } from '#server/cli/lift-lock.ts'
import { office } from '#server/cli/offices/office.ts'
import { recoverAdministrator } from '#server/cli/recover-administrator.ts'
import { rotateKeys } from '#server/cli/rotate-keys.ts'
import { rotateOfficeKeys } from '#server/cli/rotate-office-keys.ts'
import { trust } from '#server/cli/trust.ts'
import { verifyIntent } from '#server/cli/verify-intent.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { RELEASES, restoreRelease } from '#tests/support/released-office.ts'

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-release-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

function stepsIn(folder: string): unknown[] {
  const db = new Sqlite(path.join(folder, 'rubrica.sqlite'), { readonly: true })
  const names = db.prepare('select name from kysely_migration').pluck().all()
  db.close()
  return names
}

type Command = (folder: string) => Promise<number>

const ADDRESS = ['--email', 'titular@notaria.example']
const COMMANDS: [string, Command][] = [
  ['audit export', (folder) => auditExport(['-o', 'log.jsonl'], folder)],
  ['doctor', () => doctor([])],
  ['lift-lock', () => liftLock(ADDRESS)],
  ['office list', (folder) => office(['list'], folder)],
  ['office suspend', (folder) => office(['suspend', '--reason', 'Un motivo cualquiera'], folder)],
  ['recover-administrator', () => recoverAdministrator(ADDRESS)],
  ['rotate-keys', (folder) => rotateKeys([], folder)],
  ['rotate-office-keys', (folder) => rotateOfficeKeys([], folder)],
  ['trust list', (folder) => trust(['list'], folder)],
  ['verify-intent', (folder) => verifyIntent([], folder)],
]

test.each(COMMANDS)('%s: a database of an earlier release is not migrated', async (_, command) => {
  const folder = aFolder()
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, folder)
  const before = stepsIn(folder)
  const { status, errors } = await said(() => {
    vi.stubEnv('DATA_DIR', folder)
    return command(folder)
  })
  expect([status, errors[0]]).toEqual([2, expect.stringContaining('versión anterior')])
  expect(stepsIn(folder)).toEqual(before)
})

test('trust list makes the tables of an empty place, as the first start would', async () => {
  const folder = aFolder()
  const { status } = await said(() => {
    vi.stubEnv('DATA_DIR', folder)
    return trust(['list'], folder)
  })
  expect(status).toBe(0)
  expect(stepsIn(folder)).not.toEqual([])
})
