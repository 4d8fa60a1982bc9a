import { connect } from 'node:net'
import { send } from '#tests/e2e/support/http.ts'
import { freePort } from '#tests/support/processes/server-process.ts'
import { startOffice } from '#tests/support/processes/started-server.ts'
import { call, expect, type Guarded, test } from './support/suite.ts'
import { tour, typeOf } from './support/tour.ts'

test('V4.1.1 Content-Type: every body has one, with its charset', async ({
  enter,
  visitor,
  newcomer,
}) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    if (answer.text === '') continue
    expect([what, typeOf(answer)]).toEqual([what, expect.stringMatching(/^[a-z]+\/[a-z+.-]+/)])
    if (/^text\/|json|javascript/.test(typeOf(answer)))
      expect([what, typeOf(answer)]).toEqual([what, expect.stringMatching(/charset=utf-8$/i)])
  }
})

test('V4.1.2 http: a call is refused, a page redirects to https', async ({ guarded }) => {
  const clear = { Host: 'rubrica.test', 'X-Forwarded-Proto': 'http' }
  for (const path of ['/api/v1/auth/health', '/api/v1/auth/sessions', '/api/v1/openapi.json']) {
    const { status, headers } = await send(guarded.address + path, { headers: clear })
    expect([path, status, headers.location]).toEqual([path, 403, undefined])
  }
  const page = await send(`${guarded.address}/login`, { headers: clear })
  expect([page.status, page.headers.location]).toEqual([308, 'https://rubrica.test/login'])
})

const lastEvent = ({ rows }: Guarded, action: string) => {
  const [row] = rows.all<{ canonical: Buffer }>(
    'select canonical from audit_events where action = ? order by seq desc limit 1',
    action,
  )
  return JSON.parse(row?.canonical.toString('utf8') ?? '{}')
}

test('V4.1.3 proxy headers sent by a visitor: ignored', async () => {
  test.setTimeout(120_000)
  const port = await freePort()
  const { server } = await startOffice({ PORT: String(port) })
  try {
    const forged = {
      'X-Forwarded-For': '203.0.113.9',
      'X-Real-IP': '203.0.113.9',
      Forwarded: 'for=203.0.113.9;host=evil.example',
      'X-Forwarded-Host': 'evil.example',
      'X-Forwarded-Proto': 'https',
      'X-Original-URL': '/dashboard',
      'X-HTTP-Method-Override': 'DELETE',
    }
    const { status, headers, text } = await send(`http://localhost:${port}/login`, {
      headers: forged,
    })
    expect(status).toBe(200)
    expect(text).not.toContain('evil.example')
    expect(JSON.stringify(headers)).not.toContain('evil.example')
    const cookie = (headers['set-cookie'] ?? []).map((line) => line.split(';')[0]).join('; ')
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? ''
    await send(`http://localhost:${port}/login`, {
      method: 'POST',
      headers: {
        ...forged,
        Cookie: cookie,
        Origin: `http://localhost:${port}`,
        'Content-Type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ csrf, email: 'nadie@notaria.example', password: 'x' }).toString(),
    })
    const { officeDatabase } = await import('#tests/e2e/support/office-database.ts')
    const rows = officeDatabase(server.dataFolder)
    const event = lastEvent({ rows } as Guarded, 'session.refused')
    rows.close()
    expect(event.ip).toMatch(/^(?:::1|(?:::ffff:)?127\.0\.0\.1)$/)
  } finally {
    await server.stop()
  }
})

test('V4.1.4 unsupported methods: refused with Allow', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const path of [
    '/',
    '/login',
    '/dashboard',
    '/logout',
    '/robots.txt',
    '/no-such-page',
    '/api/v1/auth/sessions',
    '/api/v1/auth/login',
  ])
    for (const method of [
      'TRACE',
      'PATCH',
      'PROPFIND',
      'SEARCH',
      ...(path.startsWith('/api') ? [] : ['PUT', 'DELETE']),
    ]) {
      const { status, headers } = await client.raw(path, {
        method,
        headers: { Origin: client.origin },
      })
      expect([path, method, status]).toEqual([path, method, 405])
      expect([path, method, headers.allow]).toEqual([path, method, expect.stringMatching(/GET/)])
    }
  const { status, headers } = await call(client, 'DELETE', 'login')
  expect([status, headers.allow]).toEqual([405, 'POST'])
})

/** The response to these bytes, read until the server closes or is silent. */
function responseTo(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let said = ''
    socket.setTimeout(1_500, () => socket.destroy())
    socket.on('data', (chunk) => {
      said += chunk.toString('latin1')
    })
    socket.on('close', () => resolve(said))
    socket.on('error', reject)
    socket.write(bytes)
  })
}

test('V4.2.1 ambiguous message length: refused', async ({ guarded }) => {
  const port = Number(new URL(guarded.address).port)
  const head = 'POST /login HTTP/1.1\r\nHost: rubrica.test\r\nContent-Type: text/plain\r\n'
  const hidden = 'GET /smuggled HTTP/1.1\r\nHost: rubrica.test\r\n\r\n'
  const probes = {
    'length and chunks': `${head}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'two lengths': `${head}Content-Length: 5\r\nContent-Length: 50\r\n\r\nabcde${hidden}`,
    'chunks of another name': `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${hidden}`,
    'a space before the colon': `${head}Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n${hidden}`,
    'a chunk without a length': `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${hidden}`,
  }
  for (const [what, bytes] of Object.entries(probes)) {
    const said = await responseTo(port, bytes)
    expect([
      what,
      said.match(/HTTP\/1\.1 \d+/g)?.filter((line) => !line.endsWith('400')) ?? ['silence'],
    ]).toEqual([what, []])
  }
})

test('V4.2.5 oversized headers: refused', async ({ visitor }) => {
  const { status } = await visitor().get('/login', { Cookie: `a=${'x'.repeat(20_000)}` })
  expect(status).toBe(431)
  expect((await visitor().get('/login')).status).toBe(200)
})
