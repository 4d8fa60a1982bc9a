import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { unusableInstallation } from '#server/unusable-installation.ts'
import { rubricaWith } from '#tests/support/processes/command-line.ts'
import { freePort } from '#tests/support/processes/server-process.ts'

function aDataFolder(database?: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-unusable-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(path.join(folder, 'secrets'))
  writeFileSync(path.join(folder, 'secrets/sealing-1.key'), new Uint8Array(32))
  if (database !== undefined) writeFileSync(path.join(folder, 'rubrica.sqlite'), database)
  return folder
}

const ACCOUNT = ['--email', 'ana@notaria.example']

test.each([
  ['lift-lock', ...ACCOUNT],
  ['recover-administrator', ...ACCOUNT],
  ['rotate-keys'],
  ['trust', 'list'],
])('rubrica %s: a sentence when PostgreSQL does not answer, and no password', async (...words) => {
  const folder = aDataFolder()
  const url = `postgres://ana:secreto@127.0.0.1:${await freePort()}/rubrica`
  const said = rubricaWith({ DATA_DIR: folder, DATABASE_URL: url }, folder, ...words)
  expect(said).toEqual({
    status: 2,
    output: [],
    errors: [expect.stringMatching(/^No se pudo abrir .* Revise que PostgreSQL esté en marcha/)],
  })
  expect(said.errors.join()).not.toContain('secreto')
})

test('a damaged database: a sentence that says what to do', () => {
  const folder = aDataFolder('something else')
  expect(rubricaWith({ DATA_DIR: folder }, folder, 'rotate-keys')).toEqual({
    status: 2,
    output: [],
    errors: [expect.stringMatching(/ está dañada \(SQLITE_NOTADB\)\. .* “rubrica restore”\.$/)],
  })
})

test.each(['ENOSPC', 'SQLITE_FULL', '53100'])('a full disk: a sentence (%s)', (code) => {
  const full = Object.assign(new Error(code), { code })
  const said = unusableInstallation(full, { mode: 'start', dataFolder: '/srv/rubrica' })
  expect(said?.message).toMatch(/^No queda espacio en el disco de \/srv\/rubrica /)
})

test('a key that was copied in part: a sentence that names the file', () => {
  const folder = aDataFolder()
  const key = path.join(folder, 'secrets/log.key')
  writeFileSync(key, new Uint8Array(16))
  const said = rubricaWith({ DATA_DIR: folder }, folder, 'audit', 'export', '-o', 'log.jsonl')
  const sentence = expect.stringContaining(`La llave ${key} está incompleta o no es una llave.`)
  expect(said).toEqual({ status: 2, output: [], errors: [sentence] })
})

test.each(['EACCES', 'EPERM'])('a file of another account: a sentence (%s)', (code) => {
  const file = '/srv/rubrica-secrets/log.key'
  const closed = Object.assign(new Error(code), { code, path: file })
  const said = unusableInstallation(closed, { mode: 'start', dataFolder: '/srv/rubrica' })
  expect(said?.message).toMatch(
    `La cuenta que ejecuta Rúbrica no puede usar ${file} (${code}). Póngalo a su nombre`,
  )
})

test('a folder on a read-only disk: a sentence that does not speak of accounts', () => {
  const file = '/srv/rubrica/blobs/store-id'
  const closed = Object.assign(new Error('EROFS'), { code: 'EROFS', path: file })
  const said = unusableInstallation(closed, { mode: 'start', dataFolder: '/srv/rubrica' })
  expect(said?.message).toMatch(`no puede escribir en ${file}: está en un disco de solo lectura`)
})

test('a database file of another account: a sentence', () => {
  const closed = Object.assign(new Error('closed'), { code: 'SQLITE_CANTOPEN' })
  const said = unusableInstallation(closed, { mode: 'start', dataFolder: '/srv/rubrica' })
  expect(said?.message).toMatch(/no puede abrir la base de datos de \/srv\/rubrica /)
})
