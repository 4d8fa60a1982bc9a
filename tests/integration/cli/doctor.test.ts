import { cpSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { doctor } from '#server/cli/doctor.ts'
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
function anOffice(): string {
  const folder = anEmptyFolder()
  for (const release of RELEASES.slice(0, 1)) restoreRelease(release, folder)
  return folder
}

test('an office without its files: the faults are told apart, and status is 1', async () => {
  const { status, output, errors } = await examined(anOffice(), {})
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
  const { output } = await examined(anOffice(), {}, '--json')
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
  const folder = anOffice()
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
