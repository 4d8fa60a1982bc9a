import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { clientOf } from '#tests/e2e/support/http.ts'
import { officeDatabase } from '#tests/e2e/support/office-database.ts'
import { efirmaOf, waitingFor } from '#tests/e2e/support/waiting-for-agent.ts'
import { judge } from '#tests/support/judges.ts'
import { makeSoftToken, type SoftToken, TEST_PIN } from '#tests/support/keys/soft-tokens.ts'
import { type DemoServer, startDemoServer } from '#tests/support/processes/demo-server.ts'

/*
 * `rubrica agent` as its owner starts it, against the production server, with a key in SoftHSM 2.
 */

test.describe.configure({ mode: 'serial' })

let server: DemoServer
let home: string
let token: SoftToken
test.beforeAll(async () => {
  server = await startDemoServer()
  home = mkdtempSync(path.join(tmpdir(), 'rubrica-agent-'))
  token = makeSoftToken(home, { objects: [{ efirma: efirmaOf(notary()) }] })
})
test.afterAll(async () => {
  await server.stop()
  rmSync(home, { recursive: true, force: true })
})

const notary = () => {
  const found = server.demo.users.find(({ roles }) => roles.includes('NOTARY'))
  if (!found) throw new Error('a demo without a notary')
  return found
}

type Started = { child: ChildProcess; said(): string; ended: Promise<number | null> }

function startAgent(
  environment: Record<string, string>,
  { origin = server.demo.origin, more = ['--once'] }: { origin?: string; more?: string[] } = {},
): Started {
  const child = spawn(
    process.execPath,
    [
      ...['--disable-warning=ExperimentalWarning', 'server/cli/rubrica.ts', 'agent'],
      ...['--server', origin, '--token-env', 'TOKEN', '--pkcs11', token.module, '--pin-env', 'PIN'],
      ...more,
    ],
    {
      env: {
        ...process.env,
        SOFTHSM2_CONF: token.configuration,
        PIN: TEST_PIN,
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  let text = ''
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      text += String(chunk)
    })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  return { child, said: () => text, ended }
}

async function agent(...args: Parameters<typeof startAgent>) {
  const started = startAgent(...args)
  return { status: await started.ended, said: started.said() }
}

const waiting = (...titles: string[]) =>
  waitingFor(server.demo, server.dataFolder, notary(), titles)

test('agent: lists and signs pending documents, and a second run finds none', async () => {
  const { token: TOKEN, documentIds } = await waiting('Poder de Ana', 'Acta de Beto')
  const first = await agent({ TOKEN })
  expect(first).toMatchObject({ status: 0 })
  for (const title of ['Poder de Ana', 'Acta de Beto']) expect(first.said).toContain(title)
  expect(first.said.match(/SHA-256 [0-9a-f]{64}/g)).toHaveLength(2)
  expect(first.said.match(/Firmado\./g)).toHaveLength(2)
  expect(first.said).not.toContain(TOKEN)
  expect(first.said).not.toContain(TEST_PIN)

  const again = await agent({ TOKEN })
  // Names the holder of the key, and no document.
  expect(again).toEqual({
    status: 0,
    said: expect.stringMatching(/^Firma \P{Cc}+ \(RFC \w{13}\), certificado \d{20}\.\n$/u),
  })

  const client = clientOf(server.demo.origin)
  await client.post('/login', { email: notary().email, password: notary().password })
  for (const [index, id] of documentIds.entries()) {
    const { text } = await client.get(`/dashboard/documents/${id}`)
    const version = Math.max(
      ...[...text.matchAll(/\/download\/(\d+)/g)].map(([, number]) => Number(number)),
    )
    const address = `${server.demo.origin}/dashboard/documents/${id}/download/${version}`
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const file = path.join(home, `firmado-${index}.pdf`)
    const answer = await fetch(address, { headers: { cookie } })
    writeFileSync(file, Buffer.from(await answer.arrayBuffer()))
    expect(judge('pdfsig')('-nocert', file).output).toContain('Signature is Valid')
  }
})

test("agent: signs nothing with a wrong PIN, a wrong token or another person's key", async () => {
  const { token: TOKEN, documentIds } = await waiting('Queda en espera')
  const refusals: [Record<string, string>, RegExp][] = [
    [{ TOKEN, PIN: '000000' }, /NIP no es correcto/],
    [{ TOKEN: `rubrica_${'A'.repeat(43)}` }, /token de acceso no es válido/],
    [{ TOKEN, SOFTHSM2_CONF: '/nowhere' }, /^No se pudo usar el módulo PKCS#11\./],
  ]
  for (const [environment, reason] of refusals) {
    const { status, said } = await agent(environment)
    expect([status, said]).toEqual([1, expect.stringMatching(reason)])
    expect(said).not.toContain('Firmado')
  }
  const lawyer = server.demo.users.find(({ roles }) => roles.includes('LAWYER'))
  if (!lawyer) throw new Error('a demo without a lawyer')
  const elsewhere = mkdtempSync(path.join(tmpdir(), 'rubrica-agent-'))
  const other = makeSoftToken(elsewhere, { objects: [{ efirma: efirmaOf(lawyer) }] })
  const { status, said } = await agent({ TOKEN, SOFTHSM2_CONF: other.configuration })
  rmSync(elsewhere, { recursive: true, force: true })
  expect([status, said]).toEqual([1, expect.stringMatching(/pertenece a otra persona/)])
  const rows = officeDatabase(server.dataFolder)
  const [id] = documentIds
  expect(rows.all('select id from signatures where document_id = ?', id)).toEqual([])
  rows.close()
  // The same document can be signed with the right token and PIN.
  expect(await agent({ TOKEN })).toEqual({
    status: 0,
    said: expect.stringMatching(/Queda en espera[\s\S]*Firmado\./),
  })
})

test('agent: keeps signing new documents until it is stopped', async () => {
  const { token: TOKEN } = await waiting('La primera')
  const started = startAgent({ TOKEN }, { more: [] })
  await expect.poll(started.said, { timeout: 30_000 }).toContain('La primera')
  await expect
    .poll(() => started.said().split('La primera')[1] ?? '', { timeout: 30_000 })
    .toContain('Firmado')
  await waiting('La segunda')
  await expect.poll(started.said, { timeout: 40_000 }).toContain('La segunda')
  await expect
    .poll(() => started.said().split('La segunda')[1] ?? '', { timeout: 30_000 })
    .toContain('Firmado')
  started.child.kill('SIGINT')
  expect(await started.ended).toBe(0)
  expect(started.said().match(/Firmado/g)).toHaveLength(2)
})

/** A proxy in front of the server that can change or drop its answers. */
async function between(change: (url: string, body: Record<string, unknown>) => boolean) {
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { url = '/', method = 'GET' } = request
    const answer = await fetch(new URL(url, server.demo.origin), {
      method,
      headers: {
        authorization: request.headers.authorization ?? '',
        'content-type': 'application/json',
      },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = (await answer.json()) as Record<string, unknown>
    if (!change(url, body)) return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' })
    response.end(JSON.stringify(body))
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  const address = proxy.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { origin: `http://127.0.0.1:${port}`, close: () => void proxy.close() }
}

test('agent: does not sign attributes that commit to another document', async () => {
  const { token: TOKEN } = await waiting('La verdadera')
  let asked = 0
  const liar = await between((url, body) => {
    if (body.toBeSigned) body.digest = Buffer.alloc(32).toString('base64')
    if (url.endsWith('/complete')) asked += 1
    return true
  })
  try {
    const { status, said } = await agent({ TOKEN }, { origin: liar.origin })
    expect([status, said]).toEqual([1, expect.stringMatching(/no es el documento que anunció/)])
    expect(asked).toBe(0)
  } finally {
    liar.close()
  }
})

test('agent: if all answers are lost it does not report the signature as failed', async () => {
  const { token: TOKEN } = await waiting('La que se perdió')
  const line = await between((url) => !url.endsWith('/complete'))
  try {
    const { status, said } = await agent({ TOKEN }, { origin: line.origin })
    expect(status).toBe(1)
    expect(said.split('La que se perdió')[1]).toMatch(/No se sabe si se firmó/)
    expect(said).not.toMatch(/No se firmó|Firmado/)
  } finally {
    line.close()
  }
  const again = await agent({ TOKEN })
  expect([again.status, again.said]).toEqual([0, expect.not.stringContaining('La que se perdió')])
})

test('agent: with a server that lists only the first document it goes on until none is left', async () => {
  const { token: TOKEN } = await waiting('Primera de tres', 'Segunda de tres', 'Tercera de tres')
  const earlier = await between((url, body) => {
    if (!url.endsWith('/turns')) return true
    const { documents } = body as { documents: unknown[] }
    Object.assign(body, { documents: documents.slice(0, 1), next: undefined })
    return true
  })
  try {
    const { status, said } = await agent({ TOKEN }, { origin: earlier.origin })
    const count = (pattern: RegExp) => said.match(pattern)?.length
    expect([status, count(/de tres/g), count(/Firmado\./g)]).toEqual([0, 3, 3])
  } finally {
    earlier.close()
  }
})

for (const origin of ['http://rubrica.notaria.mx', 'ftp://localhost', 'nada'])
  test(`agent: does not send the access token to ${origin}`, async () => {
    const { status, said } = await agent({ TOKEN: `rubrica_${'A'.repeat(43)}` }, { origin })
    expect([status, said]).toEqual([2, expect.stringMatching(/https/)])
  })
