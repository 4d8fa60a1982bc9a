import { createHash, createPrivateKey, sign } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { aPdf, aTitle, idIn, signingParts } from '#tests/e2e/support/deeds.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { type OfficeDatabase, officeDatabase } from '#tests/e2e/support/office-database.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/*
 * The production server is killed at random moments while several users sign, and restarted on the same data. Each
 * step between two writes has its own test (killed.test.ts); this one covers them together.
 */

const ROUNDS = 4
/** After the first signature: about the duration of the next one. */
const LONGEST_LIFE_MS = 700

/** A signed-in user of the demo office, before and after the server was killed. */
type Signer = DemoUser & { id: string; client: Client }

/** Work that the server acknowledged. */
type Acknowledged = { documentId: string; userId: string }[]

let dataFolder: string
test.beforeAll(() => {
  dataFolder = mkdtempSync(path.join(tmpdir(), 'rubrica-killed-server-'))
})
test.afterAll(() => rmSync(dataFolder, { recursive: true, force: true }))

test('killed server: acknowledged work survives, and interrupted signers continue', async () => {
  test.setTimeout(240_000)
  const PORT = String(await freePort())
  const begin = () => startServer('demo', { PORT, DATA_DIR: dataFolder })
  const first = await begin()
  const signers = await signersOf(`http://localhost:${PORT}`)
  await first.stop()

  const done: Acknowledged = []
  for (let round = 0; round < ROUNDS; round++) {
    const server = await begin()
    const isOver = { value: false }
    const before = done.length
    const work = Promise.allSettled(workOf(signers, done, isOver))
    await expect.poll(() => done.length, { timeout: 60_000 }).toBeGreaterThan(before)
    await pause(Math.random() * LONGEST_LIFE_MS)
    isOver.value = true
    await server.kill()
    await work
    await server.stop()
    mustBeSound(done)
  }
  const server = await begin()
  try {
    await signRemaining(signers, done)
    mustBeSound(done)
  } finally {
    await server.stop()
  }
})

async function signersOf(origin: string): Promise<readonly [Signer, Signer, Signer]> {
  const demo = JSON.parse(readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8')) as Demo
  const signers = demo.users.slice(0, 3).map(async (user) => ({
    ...user,
    id: withRows((rows) => rows.all<{ id: string }>(BY_EMAIL, user.email))[0]!.id,
    client: await signedInClient(origin, user),
  }))
  return (await Promise.all(signers)) as [Signer, Signer, Signer]
}

const BY_EMAIL = 'select id from users where email = ?'

function withRows<T>(read: (rows: OfficeDatabase) => T): T {
  const rows = officeDatabase(dataFolder)
  try {
    return read(rows)
  } finally {
    rows.close()
  }
}

/**
 * Signs by page calls, by the form without scripts, and two at once in sessions, until all is done or the server
 * stops answering.
 */
function workOf(
  [first, second, third]: readonly [Signer, Signer, Signer],
  done: Acknowledged,
  isOver: { value: boolean },
): Promise<void>[] {
  const again = async (work: () => Promise<unknown>) => {
    while (!isOver.value) await work()
  }
  return [
    again(async () => signInPage(first, await upload(first), 1, done)),
    again(async () => signWithoutScripts(second, await upload(second), done)),
    again(async () => {
      const documentId = await openSession(third, [first, third])
      const both = [first, third].map((signer) => signInTurn(signer, documentId, done, isOver))
      await Promise.all(both)
    }),
  ]
}

async function upload({ client }: Signer): Promise<string> {
  const answer = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: aPdf() },
  ])
  return idIn(answer.headers.location)
}

/** The result for one document: signed, or the reason why not. */
async function signInPage(
  { id: userId, client, cer, key, keyPassword }: Signer,
  documentId: string,
  version: number,
  done: Acknowledged,
): Promise<string> {
  const place = `/dashboard/documents/${documentId}/sign`
  const certificate = readFileSync(cer).toString('base64')
  const asked = { version: String(version), certificate }
  const prepared = JSON.parse((await client.post(`${place}/prepare`, asked)).text)
  if (prepared.kind !== 'prepared') return prepared.code
  const encrypted = { key: readFileSync(key), format: 'der', type: 'pkcs8' } as const
  const privateKey = createPrivateKey({ ...encrypted, passphrase: keyPassword })
  const toBeSigned = Buffer.from(prepared.toBeSigned, 'base64')
  const signature = sign('sha256', toBeSigned, privateKey).toString('base64')
  const fields = { preparedId: prepared.id, signature }
  const completed = JSON.parse((await client.post(`${place}/complete`, fields)).text)
  if (completed.kind !== 'completed') return completed.code
  done.push({ documentId, userId })
  return 'signed'
}

async function signWithoutScripts(signer: Signer, documentId: string, done: Acknowledged) {
  const place = `/dashboard/documents/${documentId}/sign/without-scripts`
  const { status } = await signer.client.postParts(place, signingParts(signer))
  if (status === 303) done.push({ documentId, userId: signer.id })
}

async function signInTurn(
  signer: Signer,
  documentId: string,
  done: Acknowledged,
  isOver: { value: boolean },
) {
  while (!isOver.value && (await signInPage(signer, documentId, 2, done)) !== 'signed')
    await pause(100)
}

async function openSession(clerk: Signer, signers: readonly Signer[]): Promise<string> {
  const { client } = clerk
  const documentId = await upload(clerk)
  const made = await client.postParts('/dashboard/signing/new', [
    { name: 'title', content: aTitle('Sesión') },
    { name: 'document', content: documentId },
  ])
  const place = made.headers.location ?? ''
  for (const { id: userId } of signers)
    await client.post(place, {
      ...{ intent: 'add-user', kind: 'user', userId },
      ...{ character: 'Compareciente', step: '1' },
    })
  await client.post(place, { intent: 'open' })
  return documentId
}

/** No row without its file, no signature lost or counted twice, no gap in the log. */
function mustBeSound(done: Acknowledged): void {
  withRows((rows) => {
    expect(rows.all('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }])
    expect(rows.all('pragma foreign_key_check')).toEqual([])
    const log = rows.all<{ seq: number }>('select seq from audit_events order by seq')
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, index) => index))
    for (const { documentId, userId } of done)
      expect(rows.all(BY_SIGNER, documentId, userId)).toHaveLength(1)
    expect(rows.all(WITHOUT_VERSION)).toEqual([])
    for (const { sha256 } of rows.all<{ sha256: string }>(
      'select distinct sha256 from document_versions',
    )) {
      const shelf = path.join(dataFolder, 'blobs', sha256.slice(0, 2), sha256.slice(2, 4))
      const bytes = readFileSync(path.join(shelf, sha256))
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256)
    }
  })
}

const BY_SIGNER = 'select id from signatures where document_id = ? and signer_id = ?'
const WITHOUT_VERSION = `select id from documents d where version <>
  (select count(*) from document_versions v where v.document_id = d.id)`

/** The remaining signers sign once the leases of others are free. */
async function signRemaining(signers: readonly Signer[], done: Acknowledged): Promise<void> {
  withRows((rows) => rows.change('update prepared_signatures set expires_at = ?', Date.now() - 1))
  const left = withRows((rows) => rows.all<{ id: string; userId: string; version: number }>(LEFT))
  for (const { id, userId, version } of left) {
    const signer = signers.find((one) => one.id === userId)!
    expect(await signInPage(signer, id, version, done)).toBe('signed')
  }
  expect(withRows((rows) => rows.all(LEFT))).toEqual([])
}

/** Drafts without a session, and the signers whose turn it is in sessions. */
const LEFT = `
  select d.id, d.created_by as userId, 1 as version from documents d
  where d.title like 'Escritura ________' and d.state = 'draft'
    and not exists (select 1 from session_documents s where s.document_id = d.id)
  union all
  select d.id, g.user_id, 2 from documents d
  join session_documents s on s.document_id = d.id
  join signing_sessions o on o.id = s.signing_session_id and o.state = 'open'
  join signers g on g.signing_session_id = o.id
  where d.title like 'Escritura ________' and not exists
    (select 1 from signatures x where x.document_id = d.id and x.session_signer_id = g.id)`
