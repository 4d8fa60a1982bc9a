import { spawn } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { identityText, recipientOf, recipientText } from '#server/domain/age/keys.ts'
import { aPdf, aTitle, downloadVersion, idIn, signingParts } from '#tests/e2e/support/deeds.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/*
 * The drill of the operations manual: the office is backed up while it signs, the server is killed and its data is
 * lost, and the office goes on from the backup in another place.
 */

const SECRET = new Uint8Array(32).fill(5)
/** Signatures before the backup begins, so that it has something to hold. */
const BEFORE = 2

type Signer = DemoUser & { client: Client }
type Signed = { id: string; at: number }[]

let folder: string
test.beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'rubrica-drill-'))
})
test.afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('backup under load, kill, restore: each signed document verifies and the log goes on', async () => {
  test.setTimeout(240_000)
  const PORT = String(await freePort())
  const origin = `http://localhost:${PORT}`
  const [lost, restored] = [path.join(folder, 'lost'), path.join(folder, 'restored')]
  const server = await startServer('demo', { PORT, DATA_DIR: lost })
  const demo = JSON.parse(readFileSync(path.join(lost, 'demo/demo.json'), 'utf8')) as Demo
  const user = demo.users[0]!
  const signer = { ...user, client: await signedInClient(origin, user) }

  const signed: Signed = []
  const isOver = { value: false }
  const work = keepSigning(signer, signed, isOver)
  await expect.poll(() => signed.length, { timeout: 60_000 }).toBeGreaterThanOrEqual(BEFORE)
  const begun = Date.now()
  const recipient = recipientText(recipientOf(SECRET))
  const made = await rubrica(lost, 'backup', '-o', 'office.age', '--recipient', recipient)
  expect([made.status, made.errors]).toEqual([0, ''])
  const count = signed.length
  await expect.poll(() => signed.length, { timeout: 60_000 }).toBeGreaterThan(count)
  await server.kill()
  isOver.value = true
  await work
  await server.stop()

  writeFileSync(path.join(folder, 'key.txt'), `${identityText(SECRET)}\n`)
  const back = await rubrica(restored, 'restore', '--identity', 'key.txt', 'office.age')
  expect([back.status, back.errors]).toEqual([0, ''])
  // The authority of the demo is no data of the office.
  cpSync(path.join(lost, 'demo'), path.join(restored, 'demo'), { recursive: true })
  rmSync(lost, { recursive: true })

  const again = await startServer('demo', { PORT, DATA_DIR: restored })
  try {
    const before = signed.filter(({ at }) => at < begun)
    expect(before.length).toBeGreaterThanOrEqual(BEFORE)
    const [cer, key] = [signer.cer, signer.key].map((file) => file.replace(lost, restored))
    await signOne({ ...signer, cer: cer!, key: key! }, signed)
    await mustVerify(signer.client, [...before, signed.at(-1)!], path.join(restored, 'demo'))
    mustBeGapless(restored)
  } finally {
    await again.stop()
  }
  const checked = await rubrica(restored, 'doctor', '--all', '--json')
  const faults = checked.output.split('\n').filter((line) => /"(?:log|files)-/.test(line))
  expect(faults.map((line) => (JSON.parse(line) as { code: string }).code)).toEqual([
    'log-holds',
    'files-held',
  ])
})

async function keepSigning(signer: Signer, signed: Signed, isOver: { value: boolean }) {
  // When the server is killed, the request under way fails.
  while (!isOver.value) await signOne(signer, signed).catch(() => undefined)
}

async function signOne(signer: Signer, signed: Signed): Promise<void> {
  const uploaded = await signer.client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: aPdf() },
  ])
  const id = idIn(uploaded.headers.location)
  const place = `/dashboard/documents/${id}/sign/without-scripts`
  const { status } = await signer.client.postParts(place, signingParts(signer))
  if (status !== 303) throw new Error(`not signed: ${status}`)
  signed.push({ id, at: Date.now() })
}

/** As a reader with the files and the authority's certificates verifies them. */
async function mustVerify(client: Client, signed: Signed, authorities: string): Promise<void> {
  for (const { id } of signed)
    writeFileSync(path.join(folder, `${id}.pdf`), await downloadVersion(client, { id }, 2))
  const files = signed.map(({ id }) => `${id}.pdf`)
  const trust = path.join(authorities, 'authority')
  const { status, output } = await rubrica(folder, 'verify', '--json', '--trust', trust, ...files)
  expect([status, output.trimEnd().split('\n').length]).toEqual([0, files.length])
}

function mustBeGapless(dataFolder: string): void {
  const rows = officeDatabase(dataFolder)
  const log = rows.all<{ seq: number }>('select seq from audit_events order by seq')
  const restores = rows.all("select seq from audit_events where action = 'backup.restored'")
  rows.close()
  expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
  expect(restores).toHaveLength(1)
}

type Ended = { status: number | null; output: string; errors: string }

/** The command beside this process, which goes on signing. */
function rubrica(DATA_DIR: string, ...args: string[]): Promise<Ended> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'server/cli/rubrica.ts', ...args],
    { env: { ...process.env, DATA_DIR, INIT_CWD: folder }, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const said = { output: '', errors: '' }
  child.stdout.on('data', (text) => {
    said.output += text
  })
  child.stderr.on('data', (text) => {
    said.errors += text
  })
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, ...said })))
}
