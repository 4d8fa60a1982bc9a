import { readFileSync } from 'node:fs'
import https from 'node:https'
import path from 'node:path'
import { connect } from 'node:tls'
import { expect, test } from '@playwright/test'
import Database from 'better-sqlite3'
import { type Answered, send } from '#tests/e2e/support/http.ts'
import { NAME, type Pair, selfSigned, startTlsProxy } from '#tests/support/authorities/tls.ts'
import type { Demo } from '#tests/support/processes/demo-server.ts'
import {
  freePort,
  type ServerProcess,
  startRefused,
  startServer,
} from '#tests/support/processes/server-process.ts'

test.describe.configure({ mode: 'serial' })

let pair: Pair
test.beforeAll(() => {
  pair = selfSigned()
})
test.afterAll(() => pair.remove())

/** Every address that begins with 127 is this machine; only 127.0.0.1 is a proxy of ours. */
const VISITOR = '127.0.0.2'

type Asked = { method?: string; headers?: Record<string, string>; body?: string }

/** One request over TLS to the public name; the certificate is verified. */
function ask(port: number, address: string, asked: Asked = {}): Promise<Answered> {
  const { method = 'GET', headers = {}, body } = asked
  return new Promise((resolve, reject) => {
    const request = https.request(
      {
        host: '127.0.0.1',
        localAddress: VISITOR,
        port,
        path: address,
        method,
        servername: NAME,
        ca: pair.ca,
        agent: false,
        headers: { Host: `${NAME}:${port}`, 'User-Agent': 'Test/1.0', ...headers },
      },
      (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text: Buffer.concat(chunks).toString('utf8'),
          }),
        )
      },
    )
    request.on('error', reject).end(body)
  })
}

/** Opens the page of signing in and sends its form, as a browser does. */
async function signIn(port: number, fields: Record<string, string>, headers = {}) {
  const page = await ask(port, '/login')
  const cookie = (page.headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
  const csrf = /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const answer = await ask(port, '/login', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/x-www-form-urlencoded',
      Origin: `https://${NAME}:${port}`,
      Cookie: cookie,
      ...headers,
    },
    body: new URLSearchParams({ csrf, ...fields }).toString(),
  })
  return { page, answer }
}

/** The client address that the audit log recorded for the refused attempt of this answer. */
function addressOf(server: ServerProcess, answer: Answered): string | undefined {
  const db = new Database(path.join(server.dataFolder, 'rubrica.sqlite'), { readonly: true })
  try {
    const rows = db
      .prepare("select canonical from audit_events where action = 'session.refused'")
      .all() as { canonical: Uint8Array }[]
    return rows
      .map(({ canonical }) => JSON.parse(Buffer.from(canonical).toString('utf8')))
      .find(({ requestId }) => requestId === answer.headers['x-request-id'])?.ip
  } finally {
    db.close()
  }
}

const unknownUser = { email: 'nadie@notaria.example', password: 'una contraseña cualquiera' }

test.describe('TLS ends at a proxy', () => {
  let server: ServerProcess
  let proxy: Awaited<ReturnType<typeof startTlsProxy>>
  let backend: number
  let demo: Demo

  test.beforeAll(async () => {
    test.setTimeout(180_000)
    backend = await freePort()
    proxy = await startTlsProxy(backend, pair)
    server = await startServer('demo', {
      PORT: String(backend),
      PUBLIC_ORIGIN: `https://${NAME}:${proxy.port}`,
      TRUST_PROXY: '127.0.0.1',
    })
    demo = JSON.parse(readFileSync(path.join(server.dataFolder, 'demo/demo.json'), 'utf8'))
  })
  test.afterAll(async () => {
    await proxy?.stop()
    await server?.stop()
  })

  test('forms are accepted with the public origin, and cookies are Secure', async () => {
    const { email, password } =
      demo.users.find(({ roles }) => roles.includes('CLERK')) ?? unknownUser
    const { page, answer } = await signIn(proxy.port, { email, password })
    expect(page.headers['strict-transport-security']).toBe('max-age=63072000; includeSubDomains')
    expect([answer.status, answer.headers.location]).toEqual([303, '/dashboard'])
    const cookies = answer.headers['set-cookie'] ?? []
    const session = cookies.find((line) => line.startsWith('__Host-session='))
    expect(session).toMatch(/; Secure/)
    const home = await ask(proxy.port, '/dashboard', {
      headers: { Cookie: cookies.map((line) => line.split(';')[0]).join('; ') },
    })
    expect(home.status).toBe(200)
  })

  test('a form from http, another site or an unknown origin is refused', async () => {
    for (const origin of [`http://${NAME}:${proxy.port}`, 'https://evil.example', 'null'])
      expect((await signIn(proxy.port, unknownUser, { Origin: origin })).answer.status).toBe(403)
  })

  test('the audit log records the address that the proxy saw and ignores forged headers', async () => {
    const { answer } = await signIn(proxy.port, unknownUser)
    expect([answer.status, addressOf(server, answer)]).toEqual([401, VISITOR])
    const claims = { 'X-Forwarded-For': '198.51.100.66, 127.0.0.1' }
    // Another account: a second failure of the same one is counted, and logged later.
    const other = { ...unknownUser, email: 'nadie.mas@notaria.example' }
    const { answer: forged } = await signIn(proxy.port, other, claims)
    expect([forged.status, addressOf(server, forged)]).toEqual([401, VISITOR])
  })

  test('a forged Host header changes nothing', async () => {
    const { answer } = await signIn(proxy.port, unknownUser, { 'X-Forwarded-Host': 'evil.example' })
    expect(answer.status).toBe(421)
    const other = await ask(proxy.port, '/login', { headers: { Host: 'evil.example' } })
    expect(other.status).toBe(421)
  })

  test('a request that bypasses the proxy is redirected to https, with any headers', async () => {
    const past = `http://127.0.0.1:${backend}`
    const claims = {
      Host: `${NAME}:${proxy.port}`,
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-For': '198.51.100.7',
    }
    const read = await send(`${past}/login?a=1`, { headers: claims, localAddress: VISITOR })
    expect([read.status, read.headers.location]).toEqual([
      308,
      `https://${NAME}:${proxy.port}/login?a=1`,
    ])
    const away = await send(`${past}//evil.example/x`, { headers: claims, localAddress: VISITOR })
    expect(away.headers.location).toBe(`https://${NAME}:${proxy.port}//evil.example/x`)
    const written = await send(`${past}/login`, {
      method: 'POST',
      headers: claims,
      body: 'a=1',
      localAddress: VISITOR,
    })
    expect(written.status).toBe(403)
  })

  test('a request that reached the proxy over http is redirected to https', async () => {
    const { status, headers } = await send(`http://127.0.0.1:${backend}/login`, {
      headers: { Host: `${NAME}:${proxy.port}`, 'X-Forwarded-Proto': 'http' },
    })
    expect([status, headers.location]).toEqual([308, `https://${NAME}:${proxy.port}/login`])
  })
})

test.describe('TLS ends at the server', () => {
  let server: ServerProcess
  let port: number

  test.beforeAll(async () => {
    test.setTimeout(180_000)
    port = await freePort()
    server = await startServer('start', {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_ORIGIN: `https://${NAME}:${port}`,
      TLS_CERT_FILE: pair.certificate,
      TLS_KEY_FILE: pair.key,
    })
  })
  test.afterAll(() => server?.stop())

  test('forms are accepted, and forwarded addresses are ignored', async () => {
    const { answer } = await signIn(port, unknownUser, {
      'X-Forwarded-For': '198.51.100.66',
      'X-Forwarded-Proto': 'http',
      'X-Forwarded-Host': 'evil.example',
    })
    expect([answer.status, addressOf(server, answer)]).toEqual([401, VISITOR])
  })

  test('speaks TLS 1.2 and 1.3 only', async () => {
    const speaks = (version: 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3') =>
      new Promise<string>((resolve) => {
        const versions = { minVersion: version, maxVersion: version }
        const socket = connect({
          host: '127.0.0.1',
          port,
          servername: NAME,
          ca: pair.ca,
          ciphers: 'DEFAULT@SECLEVEL=0',
          ...versions,
        })
        socket.once('secureConnect', () => {
          resolve(socket.getProtocol() ?? '')
          socket.destroy()
        })
        socket.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? ''))
      })
    expect(await speaks('TLSv1.3')).toBe('TLSv1.3')
    expect(await speaks('TLSv1.2')).toBe('TLSv1.2')
    // The server says so: it is not this client that does not offer it.
    expect(await speaks('TLSv1.1')).toBe('ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION')
  })

  test('empty installation: prints one set-up link and logs it nowhere', async () => {
    const [link, code = ''] =
      new RegExp(`https://${NAME}:${port}/activate#([0-9A-Z-]+)`).exec(server.said()) ?? []
    expect(link, 'the link is printed').toBeDefined()
    expect(code.replaceAll('-', '')).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/)
    expect(server.logged()).not.toContain(code)
    for (const [email, password] of [
      ['admin@notaria.example', 'admin'],
      ['root@localhost.example', 'root'],
    ] as const)
      expect((await signIn(port, { email, password })).answer.status).toBe(401)
  })
})

test('insecure configuration: the server does not start and says what to change', async () => {
  const refused = await startRefused({ PUBLIC_ORIGIN: 'http://rubrica.notaria.mx' })
  expect(refused).toEqual({ code: 2, said: expect.stringContaining('https://') })
  const halfKey = await startRefused({
    PUBLIC_ORIGIN: 'https://rubrica.notaria.mx',
    PORT: String(await freePort()),
    TLS_CERT_FILE: pair.certificate,
    TLS_KEY_FILE: pair.certificate,
  })
  expect(halfKey).toEqual({ code: 2, said: expect.stringContaining('la clave') })
})
