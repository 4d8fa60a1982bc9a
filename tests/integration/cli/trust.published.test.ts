import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openTrustStore } from '#server/adapters/trust-store.ts'
import { trust } from '#server/cli/trust.ts'
import { openDatabase } from '#server/db/database.ts'
import { listAuthorities, listTrusted, versionOfTrust } from '#server/db/trust/authorities.ts'
import { INSTALLATION } from '#server/domain/trust/known-authority.ts'
import { MEXICAN_AUTHORITIES } from '#server/domain/trust/mexican-authorities.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { said } from '#tests/support/processes/command-line.ts'

const DATA = path.resolve('../shared/data/sat-test')
const filesIn = (folder: string) =>
  readdirSync(path.join(DATA, folder)).map((name) => path.join(DATA, folder, name))

test('all that the authorities publish is recognized, and nothing that is for tests', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-trust-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', path.join(folder, 'data'))
      return trust(args, folder, TEST_NOW)
    })
  const root = path.join(DATA, 'nom151/acr2-secretaria-economia.pem')
  const produced = await run('import', ...filesIn('ca-produccion'), root)
  expect(produced).toMatchObject({ status: 0, errors: [] })
  const tests = await run(
    'import',
    ...filesIn('ca-pruebas'),
    ...filesIn('ca-ficticia').filter(isCertificate),
  )
  expect(tests.status).toBe(1)

  const db = openDatabase(path.join(folder, 'data/rubrica.sqlite'))
  onTestFinished(() => db.close())
  const known = await listAuthorities(db, INSTALLATION)
  expect(new Set(known.map(({ sha256 }) => sha256))).toEqual(
    new Set(MEXICAN_AUTHORITIES.map(({ sha256 }) => sha256)),
  )
  const { anchors, candidates, constancias } = await openTrustStore({
    folders: [],
    decisions: {
      version: (scope) => versionOfTrust(db, scope),
      list: (scope) => listTrusted(db, scope),
    },
    isDemo: false,
  }).policy(TEST_NOW, INSTALLATION)
  expect(anchors).toHaveLength(7)
  expect(candidates).toHaveLength(9)
  expect(constancias?.anchors.map(({ label }) => label)).toEqual([
    'ACR2 de la Secretaría de Economía',
  ])
  for (const anchor of anchors)
    expect(anchor).toMatchObject({ revocation: 'required', forTesting: false })
})

const isCertificate = (file: string) => file.endsWith('.cer')
