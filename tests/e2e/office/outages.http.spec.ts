import { createPrivateKey, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { issueConstancias } from '#server/features/constancias/issue-constancias.ts'
import { aPdf, aTitle, idIn } from '#tests/e2e/support/deeds.ts'
import { beside } from '#tests/e2e/support/guest-invitations.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { type OfficeDatabase, officeDatabase } from '#tests/e2e/support/office-database.ts'
import {
  type FailingAuthority,
  failingAuthority,
  type Outage,
} from '#tests/support/authorities/failing-authority.ts'
import type { Demo, DemoUser } from '#tests/support/processes/demo-server.ts'
import {
  freePort,
  type ServerProcess,
  startServer,
} from '#tests/support/processes/server-process.ts'

/*
 * The production server of an office whose authorities are down, slow or malicious. No signature is lost, none
 * claims a proof that it lacks, and all proofs are completed once the authorities are back.
 */

test.describe.configure({ mode: 'serial' })

let authority: FailingAuthority
let server: ServerProcess
let demo: Demo
let rows: OfficeDatabase
let notary: DemoUser
let client: Client
test.beforeAll(async () => {
  const port = await freePort()
  authority = await failingAuthority(port)
  server = await startServer('demo', { PORT: String(port), PUBLIC_ORIGIN: authority.origin })
  const { dataFolder } = server
  const recorded = readFileSync(path.join(dataFolder, 'demo/demo.json'), 'utf8')
  demo = { ...JSON.parse(recorded), dataFolder }
  rows = officeDatabase(dataFolder)
  notary = demo.users.find(({ roles }) => roles[0] === 'NOTARY')!
  client = await signedInClient(demo.origin, notary)
})
test.afterAll(async () => {
  rows.close()
  await server.stop()
  authority.stop()
})

async function broughtIn(): Promise<string> {
  const answer = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'escritura.pdf', content: aPdf() },
  ])
  return idIn(answer.headers.location)
}

/** Prepares, signs and completes, as the page does. */
async function prepared(id: string) {
  const certificate = readFileSync(notary.cer).toString('base64')
  const place = `/dashboard/documents/${id}/sign`
  const { text } = await client.post(`${place}/prepare`, { version: '1', certificate })
  const { id: preparedId, toBeSigned } = JSON.parse(text)
  const key = createPrivateKey({
    key: readFileSync(notary.key),
    format: 'der',
    type: 'pkcs8',
    passphrase: notary.keyPassword,
  })
  const signature = sign('sha256', Buffer.from(toBeSigned, 'base64'), key).toString('base64')
  return async () => {
    const answer = await client.post(`${place}/complete`, { preparedId, signature })
    return JSON.parse(answer.text) as { kind: string; code?: string; sentence?: string }
  }
}

const levelsOf = (id: string) =>
  rows
    .all<{ level: string }>('select level from signatures where document_id = ?', id)
    .map(({ level }) => level)

const LIES: readonly Outage[] = [
  ...(['unreachable', 'error', 'a page', 'nothing', 'junk', 'half', 'half, and says so'] as const),
  ...(['endless', 'altered', 'to another nonce', 'over another file'] as const),
  ...(['of a stranger', 'of another hour', 'silent'] as const),
]

test('timestamp authority fails in any way: the signature is kept and claims no time', async () => {
  test.setTimeout(120_000)
  rows.change("update offices set timestamp_policy = 'later'")
  for (const outage of LIES) {
    const id = await broughtIn()
    const complete = await prepared(id)
    authority.outages.tsa = outage
    expect([outage, await complete(), levelsOf(id)]).toMatchObject([
      outage,
      { kind: 'completed' },
      ['B-B'],
    ])
  }
})

test('timestamp authority fails and the policy requires a timestamp: nothing is signed, and the same attempt can be completed later', async () => {
  test.setTimeout(120_000)
  rows.change("update offices set timestamp_policy = 'required'")
  for (const outage of LIES) {
    const id = await broughtIn()
    const complete = await prepared(id)
    authority.outages.tsa = outage
    const refused = { kind: 'refused', code: 'timestamp-unavailable' }
    expect([outage, await complete(), levelsOf(id)]).toMatchObject([outage, refused, []])
    const [row] = rows.all('select state, version from documents where id = ?', id)
    expect(row).toEqual({ state: 'draft', version: 1 })

    authority.outages.tsa = 'none'
    expect(await complete()).toMatchObject({ kind: 'completed' })
    expect([outage, levelsOf(id)]).toEqual([outage, ['B-T']])
  }
})

test('OCSP fails in any way: the signature is kept and claims no status', async () => {
  test.setTimeout(120_000)
  const outages = LIES.filter((outage) => !/another|stranger/.test(outage))
  for (const outage of outages) {
    rows.change('delete from revocation_answers')
    const id = await broughtIn()
    authority.outages.ocsp = outage
    expect([outage, await (await prepared(id))()]).toMatchObject([outage, { kind: 'completed' }])
    const [{ report = '' } = {}] = rows.all<{ report: string }>(
      'select report from signatures where document_id = ?',
      id,
    )
    const [own] = JSON.parse(report).signatures
    expect([outage, own.indication, own.revocation.status]).toEqual([
      outage,
      'TOTAL_PASSED',
      'unknown',
    ])
  }
  authority.outages.ocsp = 'none'
})

test('constancia provider fails in any way: the constancia is issued later and requested once', async () => {
  test.setTimeout(120_000)
  const id = await broughtIn()
  await (await prepared(id))()
  authority.outages.constancia = 'unreachable'
  await client.post(`/dashboard/documents/${id}/constancia`, {})
  const before = authority.asked.constancia.length
  const state = async (outage: Outage) => {
    authority.outages.constancia = outage
    rows.change(
      'update constancias set next_attempt_at = 0, attempts = 0 where document_id = ? and state = ?',
      ...[id, 'pending'],
    )
    await beside(demo, issueConstancias)
    return rows.all<{ state: string; last_error: string | null }>(
      'select state, last_error from constancias where document_id = ?',
      id,
    )
  }
  // A constancia under an unknown root waits and is not requested again. Providers return no nonce.
  for (const outage of LIES.filter((one) => !/stranger|hour|silent|nonce/.test(one)))
    expect([outage, await state(outage)]).toEqual([
      outage,
      [{ state: 'pending', last_error: expect.stringMatching(/^(?:El prestador|La) .+\.$/) }],
    ])
  expect(await state('none')).toEqual([{ state: 'issued', last_error: null }])
  const asked = authority.asked.constancia.slice(before).map((body) => body.toString('hex'))
  expect(new Set(asked).size).toBe(1)
})
