import { createHash, randomUUID } from 'node:crypto'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { type Client, signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'
import { expectForbidden, expectPageSendsAway } from '#tests/e2e/support/sent-away.ts'
import { ROLES } from '#tests/e2e/support/site-map.ts'
import { aPrivateAuthority } from '#tests/support/authorities/private-authority.ts'

const SETTINGS = '/dashboard/settings'
const NEW = `${SETTINGS}/authorities/new`
const reason = 'Un motivo bastante largo'
const FORMS = [
  { kind: 'accept', reason, revocation: 'required', ocsp: '' },
  { kind: 'remove', reason },
] as const

async function aFile() {
  const { certificate } = await aPrivateAuthority(`Autoridad ${randomUUID().slice(0, 8)}`)
  const sha256 = createHash('sha256').update(certificate.der).digest('hex')
  return { sha256, parts: [{ name: 'file', fileName: 'raiz.cer', content: certificate.der }] }
}

test('authorities: only an administrator imports them and changes their status', async ({
  demo,
  person,
  rows,
}) => {
  const administrator = await signedInClient(demo.origin, person('administrador'))
  const [known, unknown] = [await aFile(), await aFile()]
  expect((await administrator.postParts(NEW, known.parts)).status).toBe(200)
  const path = `${SETTINGS}/authorities/${known.sha256}`
  const stored = () =>
    rows.all<{ sha256: string; state: string }>(
      'select * from authorities where sha256 in (?, ?)',
      known.sha256,
      unknown.sha256,
    )
  const before = stored()
  expect(before).toMatchObject([{ sha256: known.sha256, state: 'offered' }])
  const others = ROLES.filter((role) => role !== 'ADMIN')
  for (const role of others) await expectRefused(role)
  expect(stored()).toEqual(before)

  // The same forms take effect for an administrator.
  expect((await administrator.postParts(NEW, unknown.parts)).status).toBe(200)
  expect(stored()).toHaveLength(2)
  for (const [form, state] of [
    [FORMS[0], 'accepted'],
    [FORMS[1], 'removed'],
  ] as const) {
    const { status, headers } = await administrator.post(path, form)
    expect([form.kind, status, headers.location]).toEqual([
      form.kind,
      303,
      `${SETTINGS}/authorities`,
    ])
    expect(stored().find(({ sha256 }) => sha256 === known.sha256)?.state).toBe(state)
  }

  async function expectRefused(role: (typeof others)[number]) {
    const client = await signedInClient(demo.origin, person(role === 'NOTARY' ? 'suplente' : role))
    for (const page of [NEW, path]) await expectPageSendsAway(client, page)
    expectForbidden(`${role} import`, await client.postParts(NEW, unknown.parts))
    for (const form of FORMS) expectForbidden(`${role} ${form.kind}`, await client.post(path, form))
    await expectListWithoutWays(client)
  }
})

async function expectListWithoutWays(client: Client) {
  const { status, text } = await client.get(SETTINGS)
  expect(status).toBe(200)
  expect(text).toContain('Autoridades de confianza')
  for (const way of ['Importar autoridades', `href="${SETTINGS}/authorities/`])
    expect(text).not.toContain(way)
}

test('authorities: an unknown authority is not found', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('administrador'))
  for (const id of ['0'.repeat(64), 'nada', '%00']) {
    const path = `/dashboard/settings/authorities/${id}`
    expect([id, (await client.get(path)).status]).toEqual([id, 404])
    const form = { kind: 'remove', reason: 'Un motivo bastante largo' }
    expect([id, (await client.post(path, form)).status]).toEqual([id, 404])
  }
})

test('demo authority: answers a malformed request with a protocol error and refuses a large one', async ({
  demo,
}) => {
  for (const [address, type, reply, error] of [
    // OCSPResponseStatus malformedRequest. @see RFC 6960, 4.2.1
    [demo.services.ocsp, 'application/ocsp-request', 'application/ocsp-response', '30030a0101'],
    // PKIStatus rejection, PKIFailureInfo badDataFormat. @see RFC 3161, 2.4.2
    [
      demo.services.timestamps,
      'application/timestamp-query',
      'application/timestamp-reply',
      '3009300702010203020204',
    ],
  ] as const) {
    const sent = (body: BodyInit) =>
      fetch(address, { method: 'POST', headers: { 'Content-Type': type }, body })
    const answer = await sent(new Uint8Array([0x30, 0]))
    const bytes = Buffer.from(await answer.arrayBuffer()).toString('hex')
    expect([answer.status, answer.headers.get('Content-Type'), bytes]).toEqual([200, reply, error])
    expect((await sent('x'.repeat(100_000))).status).toBe(413)
  }
})
