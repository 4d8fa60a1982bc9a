import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { verifyIntent } from '#server/cli/verify-intent.ts'
import { openDatabase } from '#server/db/database.ts'
import { type PresenceFile, presenceFile } from '#server/domain/signing/exported-presence.ts'
import { seconds } from '#server/domain/time.ts'
import { beginPresence } from '#server/features/presence/begin-presence.ts'
import { provePresence } from '#server/features/presence/prove-presence.ts'
import { readPresence } from '#server/features/presence/read-presence.ts'
import { exportPresence } from '#server/steps/signing/export-presence.ts'
import { aSignedInUser, shown, withApp } from '#tests/support/keys/second-factors.ts'
import { registeredKey } from '#tests/support/keys/security-keys.ts'
import { aDraft } from '#tests/support/office/signing-system.ts'
import { said } from '#tests/support/processes/command-line.ts'
import { testSystem } from '#tests/support/test-system.ts'

/** An installation on disk with presence proofs by a key and by a code. */
async function anInstallation() {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-intent-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const db = openDatabase(path.join(folder, 'rubrica.sqlite'))
  await db.migrate()
  const system = await testSystem(db, path.join(folder, 'blobs'))
  const { person } = await aSignedInUser(system, { presence: 'required' })
  const { id } = await aDraft(system, person, new TextEncoder().encode('%PDF-1.7'))
  const { key } = await registeredKey(system, person)
  const { secret } = await withApp(system, person)
  const documents = [{ documentId: id, version: 1 }]
  const response = key.assert(await beginPresence(system, person, { documents }))
  await provePresence(system, person, { method: 'WEBAUTHN', response })
  system.wait(seconds(30))
  const code = shown(system, secret)
  await provePresence(system, person, { method: 'TOTP', code, documents })
  const file = await exportPresence(db, id)
  const view = await readPresence(system, person, { documentIds: [id] })
  await db.close()

  const run = (...args: string[]) =>
    said(() => {
      vi.stubEnv('DATA_DIR', folder)
      return verifyIntent(args, folder)
    })
  const put = (name: string, content: unknown) =>
    writeFileSync(path.join(folder, name), JSON.stringify(content))
  /** Acts as an attacker with write access to the database who has dropped the triggers. */
  const tamper = async (change: string) => {
    const raw = openDatabase(path.join(folder, 'rubrica.sqlite'))
    await raw.transaction(async (trx) => {
      for (const table of ['presence_proofs', 'presence_proof_documents'])
        for (const verb of ['update', 'delete'])
          await sql.raw(`drop trigger if exists ${table}_refuses_${verb}`).execute(trx)
      await sql.raw(change).execute(trx)
    })
    await raw.close()
  }
  return { run, put, tamper, file, sha256: view.documents[0]?.version.sha256 ?? '' }
}

const keyOf = ({ proofs }: PresenceFile) => {
  const proof = proofs.find(({ means }) => means.method === 'webauthn')
  if (!proof) throw new Error('no proof by a key')
  return proof
}

test('verify-intent: stored proofs match the log', async () => {
  const { run, sha256 } = await anInstallation()
  const { status, output } = await run()
  expect(output.join('\n')).toContain(
    'COMPROBADA con llave de seguridad; la bitácora dice lo mismo',
  )
  expect(output.join('\n')).toContain('CONSTA EN LA BITÁCORA: código de la aplicación')
  expect(output.join('\n')).toContain(sha256)
  expect(status).toBe(0)
  const json = (await run('--json', '--origin', 'http://localhost:3000/')).output.map((line) =>
    JSON.parse(line),
  )
  expect(json).toMatchObject([
    { kind: 'genuine', faults: [], isInLog: true, method: 'webauthn' },
    { kind: 'log-only', faults: [], isInLog: true, method: 'totp' },
  ])
  expect(await run('--origin', 'https://otra.example')).toMatchObject({ status: 1 })
})

test('verify-intent: finds changed, moved and missing proofs', async () => {
  for (const [change, sentence] of [
    [
      "update presence_proofs set at = at - 60000, expires_at = expires_at - 60000 where method = 'totp'",
      'La bitácora no dice lo mismo',
    ],
    ["update presence_proofs set counter_before = 900 where method = 'webauthn'", 'La cuenta'],
    [
      "update presence_proofs set origin = 'http://localhost:4000' where method = 'webauthn'",
      'La llave se usó en otra dirección',
    ],
    [
      "update presence_proofs set list = (select cast(replace(cast(list as text), 'a', 'b') as blob)) where method = 'webauthn'",
      'El reto no corresponde',
    ],
  ] as const) {
    const { run, tamper } = await anInstallation()
    await tamper(change)
    const { status, output } = await run()
    expect([change, status]).toEqual([change, 1])
    expect(output.join('\n')).toContain('NO COMPROBADA')
    expect(output.join('\n')).toContain(sentence)
  }
  const { run, tamper } = await anInstallation()
  await tamper('delete from presence_proof_documents')
  await tamper("delete from presence_proofs where method = 'totp'")
  const { status, errors } = await run()
  expect(status).toBe(1)
  expect(errors.join('\n')).toMatch(/^Falta la prueba [0-9a-f-]{36}, de la que habla la bitácora/)
})

test('a file is checked without anything else', async () => {
  const { run, put, file } = await anInstallation()
  put('presencia.json', presenceFile([keyOf(file)]))
  const { status, output } = await run('presencia.json')
  expect(output[0]).toMatch(/^presencia\.json: COMPROBADA con llave de seguridad\n/)
  expect(output[0]).toContain(
    'usada en http://localhost:3000; llave pública, que está en la llave de seguridad, SHA-256 ',
  )
  expect(status).toBe(0)
  // Of a code only the log can say that it was right.
  put('todas.json', file)
  const all = await run('todas.json')
  expect(all.output.join('\n')).toContain('SIN COMPROBAR: código de la aplicación')
  expect(all.status).toBe(1)
})

test('a file that was changed proves nothing', async () => {
  const { run, put, file } = await anInstallation()
  const proof = keyOf(file)
  put('otra.json', presenceFile([{ ...proof, list: proof.list.replace(/[0-9]/, 'f') }]))
  const { status, output } = await run('otra.json')
  expect(status).toBe(1)
  expect(output[0]).toContain('otra.json: NO COMPROBADA')
  expect(output[0]).toContain('El reto no corresponde a esta lista de documentos.')
  const means = { ...proof.means, origin: 'https://rubrica.example' }
  put('direccion.json', presenceFile([{ ...proof, means } as typeof proof]))
  expect((await run('direccion.json')).output[0]).toContain('La llave se usó en otra dirección')
})

test('verify-intent: names a file without presence proofs and judges the others', async () => {
  const { run, put, file } = await anInstallation()
  put('presencia.json', presenceFile([keyOf(file)]))
  put('nada.json', { format: 'otro' })
  put('vacia.json', presenceFile([]))
  const nothing = await run('nada.json', 'presencia.json')
  expect(nothing).toMatchObject({
    status: 1,
    errors: ['En nada.json no hay evidencia de presencia que se pueda leer.'],
  })
  expect(nothing.output).toHaveLength(1)
  expect(await run('vacia.json')).toMatchObject({ status: 1 })
  expect(await run('falta.json', 'presencia.json')).toMatchObject({
    status: 2,
    errors: ['No se puede leer falta.json.'],
  })
  expect(await run('--otra')).toMatchObject({ status: 2 })
  expect(await run('--origin', 'nada', 'presencia.json')).toMatchObject({ status: 2 })
})
