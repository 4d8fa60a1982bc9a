import {
  type Contract,
  contractOf,
  type Method,
  type Program,
  programOf,
} from '#tests/e2e/support/api.ts'
import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { type OfficeDatabase, officeDatabase } from '#tests/e2e/support/office-database.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'
import { softwareAuthenticator } from '#tests/support/keys/software-authenticator.ts'
import {
  type DemoServer,
  type DemoUser,
  startDemoServer,
} from '#tests/support/processes/demo-server.ts'

/* An office of their own: these tests add second factors, change passwords and move the clock. */
test.describe.configure({ mode: 'default', timeout: 180_000 })

let server: DemoServer
let contract: Contract
let database: OfficeDatabase

test.beforeAll(async () => {
  server = await startDemoServer()
  const served = await fetch(`${server.demo.origin}/api/v1/openapi.json`)
  contract = contractOf((await served.json()) as never)
  database = officeDatabase(server.dataFolder)
})

test.afterAll(async () => {
  database?.close()
  await server?.stop()
})

const userOf = (who: string): DemoUser => {
  const found = server.demo.users.find(({ email }) => email.startsWith(`${who}@`))
  if (!found) throw new Error(`the demo has no ${who}`)
  return found
}
const program = (userAgent?: string) => programOf(server.demo.origin, contract, userAgent)
const credentials = ({ email, password }: DemoUser) => ({ email, password })

async function signedIn(who: string, userAgent?: string): Promise<Program> {
  const one = program(userAgent)
  const { status } = await one.call('POST', 'login', credentials(userOf(who)))
  expect(status).toBe(200)
  return one
}

const userIdOf = (who: string) =>
  database.all<{ id: string }>('select id from users where email = ?', userOf(who).email)[0]?.id

const liveSessions = (who: string) =>
  database.all('select id from sessions where user_id = ? and ended_at is null', userIdOf(who))
    .length

/** The calls of the specification, to the letter. */
const CALLS = [
  ['POST', 'change-password', 'changePasswordRequest'],
  ['GET', 'health', null],
  ['POST', 'login', 'loginRequest'],
  ['POST', 'logout', 'logoutRequest'],
  ['POST', 'mfa/backup-codes/regenerate', 'regenerateBackupCodesRequest'],
  ['POST', 'mfa/totp/disable', 'disableTotpRequest'],
  ['POST', 'mfa/totp/enable', 'enableTotpRequest'],
  ['POST', 'mfa/totp/verify-setup', 'verifyTotpSetupRequest'],
  ['POST', 'refresh', 'refreshTokenRequest'],
  ['GET', 'session', null],
  ['GET', 'session/validate', null],
  ['GET', 'sessions', null],
  ['POST', 'sessions/terminate-all', 'terminateAllSessionsRequest'],
  ['DELETE', 'sessions/{sessionId}', null],
  ['POST', 'verify-mfa', 'verifyMfaRequest'],
  ['POST', 'webauthn/authenticate/begin', 'beginWebAuthnAuthenticationRequest'],
  ['POST', 'webauthn/authenticate/finish', 'finishWebAuthnAuthenticationRequest'],
  ['GET', 'webauthn/credentials', null],
  ['DELETE', 'webauthn/credentials/{credentialId}', null],
  ['PUT', 'webauthn/credentials/{credentialId}', 'updateWebAuthnCredentialBody'],
  ['POST', 'webauthn/register/begin', 'beginWebAuthnRegistrationRequest'],
  ['POST', 'webauthn/register/finish', 'finishWebAuthnRegistrationRequest'],
] as const

const SOME_ID = '3b1f0d3e-6a5e-4c7b-9a59-0c2f6c0f6a11'
const addressOf = (path: string) => path.replace(/\{\w+\}/, SOME_ID)
const UNSAFE = CALLS.filter(([method]) => method !== 'GET')
const WITH_BODY = CALLS.filter(([, , request]) => request !== null)
const OF_STRANGERS = [
  'health',
  'login',
  'logout',
  'refresh',
  'session/validate',
  'verify-mfa',
  'webauthn/authenticate/begin',
  'webauthn/authenticate/finish',
]
const OF_SESSIONS = CALLS.filter(([, path]) => !OF_STRANGERS.includes(path))

test('API description: lists exactly the calls of the specification', () => {
  const { openapi, paths } = contract.document
  expect(openapi).toMatch(/^3\.1\./)
  const ofAuth = Object.entries(paths).filter(([path]) => path.startsWith('/api/v1/auth/'))
  const described = ofAuth.flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, { requestBody }]) => {
      const ref = requestBody?.content['application/json']?.schema.$ref
      return [
        method.toUpperCase(),
        path.replace('/api/v1/auth/', ''),
        ref?.replace('#/components/schemas/', '') ?? null,
      ]
    }),
  )
  const byPath = (a: readonly unknown[], b: readonly unknown[]) =>
    String([a[1], a[0]]).localeCompare(String([b[1], b[0]]))
  expect(described.sort(byPath)).toEqual([...CALLS].map((call) => [...call]).sort(byPath))
})

test('API description: all objects are closed and all references resolve', () => {
  const { schemas } = contract.document.components
  const text = JSON.stringify(contract.document)
  const used = [...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, id]) => id)
  expect([...new Set(used)].toSorted()).toEqual(Object.keys(schemas).toSorted())
  const objects = Object.entries(schemas as Record<string, Record<string, unknown>>).filter(
    ([, { type }]) => type === 'object',
  )
  expect(objects.map(([id]) => id)).toContain('loginRequest')
  for (const [id, { additionalProperties }] of objects)
    expect([id, additionalProperties]).toEqual([id, false])
  expect(schemas.mfaMethod).toMatchObject({
    enum: [
      'MFA_METHOD_UNSPECIFIED',
      'MFA_METHOD_TOTP',
      'MFA_METHOD_BACKUP_CODE',
      'MFA_METHOD_WEBAUTHN',
    ],
  })
})

test('API description: the response check rejects undocumented answers', () => {
  const user = { firstName: 'Ana', lastName: 'Ruiz', roles: ['NOTARY'] }
  const valid = { valid: true, user }
  const answer = (body: unknown, status = 200) => ({
    status,
    headers: { 'content-type': 'application/json; charset=utf-8' },
    text: JSON.stringify(body),
  })
  const check = (body: unknown, status?: number) => () =>
    contract.check('GET', '/api/v1/auth/session/validate', answer(body, status))
  expect(check(valid)).not.toThrow()
  for (const wrong of [
    { valid: true },
    { valid: 'true', user },
    { ...valid, token: 'x' },
    { valid: true, user: { ...user, passwordHash: 'x' } },
    { valid: true, user: { ...user, roles: ['KING'] } },
  ])
    expect(check(wrong), JSON.stringify(wrong)).toThrow()
  expect(check(valid, 201)).toThrow()
  const health = (time: string) => () =>
    contract.check('GET', '/api/v1/auth/health', answer({ status: 'ok', time }))
  expect(health('2026-11-20T15:05:00.000Z')).not.toThrow()
  expect(health('20/11/2026')).toThrow()
})

test('API: without a session, calls that require one answer 401 and write nothing', async () => {
  for (const [method, path, request] of OF_SESSIONS) {
    const sent = request === null ? undefined : {}
    const { status, body, requestId } = await program().call(method, addressOf(path), sent)
    expect([path, status, body.code]).toEqual([path, 401, 'not-signed-in'])
    expect(body).toMatchObject({
      type: 'urn:rubrica:problem:not-signed-in',
      status: 401,
      detail: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
      instance: `urn:uuid:${requestId}`,
    })
    expect(database.eventsOf(requestId)).toEqual([])
  }
})

test('API: health, session check and sign-out work without a session', async () => {
  const one = program()
  const began = Date.now()
  const health = await one.call('GET', 'health')
  expect(health.body.status).toBe('ok')
  expect(Date.parse(health.body.time)).toBeGreaterThanOrEqual(began)
  expect(Date.parse(health.body.time)).toBeLessThanOrEqual(Date.now())
  expect((await one.call('GET', 'session/validate')).body).toEqual({ valid: false, user: null })
  const logout = await one.call('POST', 'logout')
  expect([logout.status, database.actions(logout.requestId)]).toEqual([204, []])
  for (const path of ['refresh', 'verify-mfa', 'webauthn/authenticate/begin']) {
    const body = path === 'verify-mfa' ? { code: '123456' } : {}
    const refused = await one.call('POST', path, body)
    expect([path, refused.status, database.actions(refused.requestId)]).toEqual([path, 401, []])
  }
})

test('API: GET calls change nothing and require no CSRF token', async () => {
  const one = await signedIn('auxiliar')
  for (const [method, path] of UNSAFE) {
    const read = await one.send('GET', addressOf(path), {})
    const isRead = CALLS.some(([other, same]) => other === 'GET' && same === path)
    expect([path, read.status]).toEqual([path, isRead ? 200 : 405])
    if (isRead) continue
    expect(read.headers.allow).toContain(method)
    expect(read.body.code).toBe('method-not-allowed')
    expect(database.eventsOf(read.requestId)).toEqual([])
  }
  expect((await one.send('HEAD', 'health', {})).status).toBe(200)
  expect((await one.call('GET', 'session/validate')).body.valid).toBe(true)
})

test('API: a change without the CSRF token of its session is refused', async () => {
  const one = await signedIn('auxiliar')
  const before = program()
  await before.call('GET', 'health')
  const ofBrowser = before.client.cookies.get('csrftoken')
  await before.call('POST', 'login', credentials(userOf('auxiliar')))
  const other = (await signedIn('auditora')).client.cookies.get('csrftoken')
  for (const [method, path] of UNSAFE)
    for (const [from, token] of [
      [one, undefined],
      [one, ''],
      [one, 'x'],
      [one, other],
      [before, ofBrowser],
    ] as const) {
      const { status, body, requestId } = await from.send(method, addressOf(path), {
        headers: {
          'Content-Type': 'application/json',
          ...(token !== undefined && { 'X-CSRFToken': token }),
        },
        ...(method !== 'DELETE' && { body: '{}' }),
      })
      expect([path, token, status, body.code]).toEqual([path, token, 403, 'cross-site'])
      expect([path, token, database.actions(requestId)]).toEqual([path, token, []])
    }
  expect((await one.call('GET', 'session')).status).toBe(200)
})

test('API: a cross-site change is refused before its body is read', async () => {
  const one = await signedIn('auxiliar')
  const answer = await one.send('POST', 'logout', {
    headers: {
      Origin: 'https://evil.example',
      'Content-Type': 'application/json',
      'X-CSRFToken': one.client.cookies.get('csrftoken'),
    },
    body: '{}',
  })
  expect([answer.status, answer.body.code]).toEqual([403, 'cross-site'])
  expect((await one.call('GET', 'session/validate')).body.valid).toBe(true)
})

test('API: only small, plain JSON bodies are accepted', async () => {
  const one = await signedIn('auxiliar')
  const send = (method: string, path: string, type: string | undefined, body: string) =>
    one.send(method, addressOf(path), {
      headers: {
        'X-CSRFToken': one.client.cookies.get('csrftoken'),
        ...(type !== undefined && { 'Content-Type': type }),
      },
      body,
    })
  for (const [method, path] of WITH_BODY) {
    for (const type of [
      undefined,
      '',
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; x',
      'application/json; charset=latin1',
      'application/jsonp',
      'text/json',
    ]) {
      const { status, body } = await send(method, path, type, '{}')
      expect([path, type, status, body.code]).toEqual([path, type, 415, 'unsupported-media-type'])
    }
    for (const text of [
      '',
      '{',
      '{"code":"1","code":"2"}',
      '{"__proto__":{"isAdmin":true}}',
      '{"a":"\\u0000"}',
      '\ufeff{}',
    ]) {
      const { status, body } = await send(method, path, 'application/json', text)
      expect([path, text, status, body.code]).toEqual([path, text, 400, 'bad-request'])
    }
    const large = JSON.stringify({ a: 'x'.repeat(65_536) })
    const { status, body } = await send(method, path, 'application/json', large)
    expect([path, status, body.code]).toEqual([path, 413, 'too-large'])
    for (const text of ['{"isAdmin":true}', '[]', 'null', '"x"', '7']) {
      const odd = await send(method, path, 'application/json; charset=utf-8', text)
      expect([path, text, odd.status, odd.body.code]).toEqual([path, text, 422, 'invalid-fields'])
    }
  }
  const unknown = await send('POST', 'logout', 'application/json', '{"isAdmin":true}')
  expect(unknown.body.errors).toEqual({ isAdmin: ['No se conoce.'] })
  expect((await one.call('GET', 'session/validate')).body.valid).toBe(true)
})

test('API: fields that are missing or have another type are named', async () => {
  const one = program()
  const cases: [Method, string, unknown, string[]][] = [
    ['POST', 'login', {}, ['email', 'password']],
    ['POST', 'login', { email: 'a@b.mx', password: ['a'] }, ['password']],
    ['POST', 'login', { email: 'nobody', password: 'x' }, ['email']],
    ['POST', 'login', { email: 'a@b.mx\r\nBcc: x@y.mx', password: 'x' }, ['email']],
    ['POST', 'verify-mfa', { code: 123456 }, ['code']],
    ['POST', 'verify-mfa', { code: '1', mfaMethod: 'TOTP' }, ['mfaMethod']],
    ['POST', 'verify-mfa', { code: '1', mfaSessionToken: 'x' }, ['mfaSessionToken']],
    ['POST', 'verify-mfa', { code: '1', mfaMethod: 'MFA_METHOD_WEBAUTHN' }, ['mfaMethod']],
    ['POST', 'webauthn/authenticate/finish', {}, ['credential']],
  ]
  for (const [method, path, sent, fields] of cases) {
    const { status, body } = await one.call(method, path, sent)
    expect([path, status, Object.keys(body.errors)]).toEqual([path, 422, fields])
  }
})

test('API: an unknown path answers problem+json', async () => {
  const one = await signedIn('auxiliar')
  for (const path of ['', '/', '/v1', '/v1/auth', '/v1/auth/nothing', '/v1/auth/health/', '/v2/x'])
    for (const method of ['GET', 'POST']) {
      const { status, body } = await one.send(method, `/api${path}`, {})
      expect([path, method, status, body.code]).toEqual([path, method, 404, 'not-found'])
    }
  for (const method of ['PATCH', 'OPTIONS', 'TRACE', 'DELETE'])
    expect([method, (await one.send(method, 'login', {})).status]).toEqual([method, 405])
  expect((await one.send('OPTIONS', 'login', {})).headers.allow).toBe('POST')
})

test('API: sign in with a password, list sessions, end them', async () => {
  const one = program('Mozilla/5.0 (Windows NT 10.0) Chrome/126.0')
  await one.call('GET', 'health')
  const anonymous = one.client.cookies.get('csrftoken')
  const login = await one.call('POST', 'login', credentials(userOf('auditora')))
  const { firstName, lastName, roles } = userOf('auditora')
  expect(login.body).toMatchObject({
    requiresMFA: false,
    mfaSessionToken: null,
    mfaMethods: [],
    user: { firstName, lastName, roles },
    session: { device: 'Chrome en Windows', isCurrent: true, mfaMethod: null },
    requiredAction: null,
  })
  expect(database.actions(login.requestId)).toEqual(['session.started'])
  expect(anonymous).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
  expect(one.client.cookies.get('csrftoken')).toMatch(/^[\w-]{22}\.[\w-]{43}$/)
  expect(one.client.cookies.get('csrftoken')).not.toBe(anonymous)
  expect(one.client.cookies.get('refresh_token')).toBe('1')

  const validated = await one.call('GET', 'session/validate')
  expect(validated.body).toEqual({ valid: true, user: { firstName, lastName, roles } })
  const { id } = (await one.call('GET', 'session')).body
  expect(id).toBe(login.body.session.id)

  const others = [
    await signedIn('auditora'),
    await signedIn('auditora'),
    await signedIn('auditora'),
  ]
  const first = await one.call('GET', 'sessions?limit=2')
  expect(first.body).toMatchObject({ limit: 2, offset: 0 })
  expect(first.body.total).toBe(liveSessions('auditora'))
  expect(first.body.sessions).toHaveLength(2)
  const rest = await one.call('GET', 'sessions?limit=100&offset=2')
  expect(rest.body.sessions).toHaveLength(first.body.total - 2)
  const here = rest.body.sessions.filter(({ isCurrent }) => isCurrent)
  expect(here.map((session: { id: string }) => session.id)).toEqual([id])
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=-1',
    'limit=1.5',
    'limit=1e1',
    'limit=',
    'limit=1&limit=2',
    'offset=-1',
    'offset=100001',
    'page=2',
  ])
    expect([query, (await one.call('GET', `sessions?${query}`)).status]).toEqual([query, 422])

  const third = others[2] as Program
  const thirdId = (await third.call('GET', 'session')).body.id
  expect((await one.call('GET', `session?sessionId=${thirdId}`)).body).toMatchObject({
    id: thirdId,
    isCurrent: false,
  })
  expect((await one.call('GET', `session?sessionId=${SOME_ID}`)).status).toBe(404)
  expect((await one.call('GET', 'session?sessionId=x')).status).toBe(422)
  const foreign = (await (await signedIn('auxiliar')).call('GET', 'session')).body.id
  expect((await one.call('GET', `session?sessionId=${foreign}`)).status).toBe(404)

  const ended = await one.call('DELETE', `sessions/${thirdId}`)
  expect([ended.status, database.actions(ended.requestId)]).toEqual([204, ['session.ended']])
  expect((await third.call('GET', 'session')).status).toBe(401)
  for (const missing of [foreign, SOME_ID, 'x'])
    expect((await one.call('DELETE', `sessions/${missing}`)).status).toBe(404)

  const all = await one.call('POST', 'sessions/terminate-all')
  expect(all.body.terminated).toBe(first.body.total - 2)
  expect(database.actions(all.requestId)).toEqual(['session.ended'])
  for (const other of others) expect((await other.call('GET', 'session')).status).toBe(401)
  expect((await one.call('POST', 'sessions/terminate-all')).body.terminated).toBe(0)
})

test('API: the session check does not count as activity', async () => {
  const one = await signedIn('auditora')
  const { id } = (await one.call('GET', 'session')).body
  const seen = () =>
    database.all<{ at: number }>('select last_seen_at as at from sessions where id = ?', id)[0]?.at
  const earlier = Date.now() - 300_000
  database.change('update sessions set last_seen_at = ? where id = ?', earlier, id)
  await one.call('GET', 'session/validate')
  expect(seen()).toBe(earlier)
  const asked = Date.now()
  await one.call('GET', 'sessions')
  expect(seen()).toBeGreaterThanOrEqual(asked)
})

test('API: sign-out ends the session on the server and clears the cookies', async () => {
  const one = await signedIn('auditora')
  const kept = new Map(one.client.cookies)
  const logout = await one.call('POST', 'logout')
  expect([logout.status, database.actions(logout.requestId)]).toEqual([204, ['session.ended']])
  expect(logout.headers['clear-site-data']).toBe('"cache", "storage"')
  for (const name of ['__Host-session', '__Host-refresh_token', 'refresh_token'])
    expect([name, one.client.cookies.has(name)]).toEqual([name, false])
  for (const [name, value] of kept) one.client.cookies.set(name, value)
  expect((await one.call('GET', 'session')).status).toBe(401)
  expect((await one.call('POST', 'refresh')).status).toBe(401)
})

/** The browser has a token other than the previous one. */
function expectRenewed({ client }: Program, before: string | undefined): void {
  const now = client.cookies.get('__Host-session')
  for (const token of [before, now]) expect(token).toMatch(/^[\w-]{43}$/)
  expect(now).not.toBe(before)
}

const expireAccess = (sessionId: string) =>
  database.change(
    `update session_tokens set expires_at = ? where session_id = ? and kind = 'access'`,
    Date.now() - 1,
    sessionId,
  )

test('API: after ten minutes a call answers 401, and works again after a refresh', async () => {
  const one = await signedIn('abogada')
  const { id } = (await one.call('GET', 'session')).body
  const before = one.client.cookies.get('__Host-session')
  expireAccess(id)
  const late = await one.call('POST', 'sessions/terminate-all')
  expect([late.status, late.body.code]).toEqual([401, 'not-signed-in'])
  const refresh = await one.call('POST', 'refresh')
  expect(refresh.body.session.id).toBe(id)
  expect(database.actions(refresh.requestId)).toEqual(['session.refreshed'])
  expectRenewed(one, before)
  expect((await one.call('POST', 'sessions/terminate-all')).status).toBe(200)

  expireAccess(id)
  expect((await one.call('GET', 'session/validate')).status).toBe(401)
  // It is no end of the session, and no page may say so.
  expect(one.client.cookies.has('__Host-flash')).toBe(false)
  await one.call('POST', 'refresh')
  expect((await one.call('GET', 'session/validate')).body.valid).toBe(true)
  await one.call('DELETE', `sessions/${id}`)
})

test('API: a session that was ended elsewhere is invalid, and the next page says so', async () => {
  const one = await signedIn('abogada')
  await (await signedIn('abogada')).call('POST', 'sessions/terminate-all')
  expect((await one.call('GET', 'session')).status).toBe(401)
  expect(one.client.cookies.has('__Host-flash')).toBe(false)
  expect((await one.call('POST', 'refresh')).status).toBe(401)
  expect(one.client.cookies.get('__Host-flash')).toBe('session-expired')
  one.client.cookies.delete('__Host-flash')
  expect((await one.call('GET', 'session/validate')).body).toEqual({ valid: false, user: null })
  expect(one.client.cookies.get('__Host-flash')).toBe('session-expired')
})

test('API: refresh, sign-in and sign-out accept the CSRF token of a session whose access token expired', async () => {
  const one = await signedIn('abogada')
  const { id } = (await one.call('GET', 'session')).body
  expireAccess(id)
  expect((await one.call('POST', 'refresh')).status).toBe(200)
  expireAccess(id)
  const again = await one.call('POST', 'login', credentials(userOf('abogada')))
  expect([again.status, database.actions(again.requestId)]).toEqual([200, ['session.started']])
  expireAccess(again.body.session.id)
  const logout = await one.call('POST', 'logout')
  expect(logout.status).toBe(204)
  expect(database.actions(logout.requestId)).toEqual(['session.refreshed', 'session.ended'])
})

test('API: reusing a refresh token that was replaced long ago ends the session and raises an alert', async () => {
  const one = await signedIn('abogada')
  const { id } = (await one.call('GET', 'session')).body
  const old = one.client.cookies.get('__Host-refresh_token') ?? ''
  await one.call('POST', 'refresh')
  await one.call('GET', 'session')
  database.change(
    'update session_tokens set replaced_at = replaced_at - 60000 where session_id = ? and replaced_at is not null',
    id,
  )
  const thief = program()
  await thief.call('GET', 'health')
  thief.client.cookies.set('__Host-refresh_token', old)
  const reuse = await thief.call('POST', 'refresh')
  expect([reuse.status, reuse.body.code]).toEqual([401, 'not-signed-in'])
  expect(database.actions(reuse.requestId)).toEqual(['session.reuse-detected (refused)'])
  expect(
    database.all(`select kind from alerts where subject_id = ? and kind <> 'new-device'`, id),
  ).toEqual([{ kind: 'refresh-reuse' }])
  expect((await one.call('GET', 'session')).status).toBe(401)
})

test('API: wrong passwords are refused, and too many of them throttled', async () => {
  const one = program()
  const { email } = userOf('suplente')
  const wrong = await one.call('POST', 'login', { email, password: 'no es esta contraseña' })
  const unknown = await program().call('POST', 'login', {
    email: 'nadie@notaria.example',
    password: 'no es esta contraseña',
  })
  expect([wrong.status, wrong.body.code]).toEqual([401, 'wrong-credentials'])
  expect(unknown.body).toEqual({ ...wrong.body, instance: unknown.body.instance })
  expect(database.actions(wrong.requestId)).toEqual(['session.refused (refused)'])
  expect(database.actions(unknown.requestId)).toEqual(['session.refused (refused)'])

  const statuses: number[] = []
  let last = wrong
  for (let attempt = 0; attempt < 6 && last.status !== 429; attempt++) {
    last = await one.call('POST', 'login', { email, password: 'tampoco es esta' })
    statuses.push(last.status)
  }
  expect(statuses).toEqual([401, 401, 401, 401, 429])
  expect(last.body.code).toBe('too-many-attempts')
  // Half a minute, minus the duration of the test.
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(15)
  expect(Number(last.headers['retry-after'])).toBeLessThanOrEqual(30)
  expect(database.actions(last.requestId)).toEqual(['session.throttled (refused)'])
})

/** The app's current code, with the last used time step moved into the past. */
function nextCode(who: string, secret: string): string {
  database.change('update totp_factors set last_step = 0 where user_id = ?', userIdOf(who))
  return codeAt(secret, Date.now() as never)
}

test('API: authenticator app and backup codes, from enrolment to removal', async () => {
  const who = 'administrador'
  const one = await signedIn(who)
  expect((await one.call('POST', 'mfa/backup-codes/regenerate')).status).toBe(403)
  expect((await one.call('POST', 'mfa/totp/disable')).status).toBe(404)
  expect((await one.call('POST', 'mfa/totp/verify-setup', { code: '123456' })).status).toBe(409)

  const enable = await one.call('POST', 'mfa/totp/enable')
  expect(database.actions(enable.requestId)).toEqual(['totp.begun'])
  const { secret, uri } = enable.body
  expect(new URL(uri).searchParams.get('secret')).toBe(secret)
  const mistaken = await one.call('POST', 'mfa/totp/verify-setup', { code: '000000' })
  expect([mistaken.status, mistaken.body.code]).toEqual([422, 'wrong-code'])
  expect(database.actions(mistaken.requestId)).toEqual(['totp.refused (refused)'])

  const before = one.client.cookies.get('__Host-session')
  const setup = await one.call('POST', 'mfa/totp/verify-setup', {
    code: codeAt(secret, Date.now() as never),
  })
  expect([setup.status, setup.body.backupCodes?.length]).toEqual([200, 10])
  expect(database.actions(setup.requestId)).toEqual(['totp.enabled', 'backup-codes.created'])
  expectRenewed(one, before)

  const two = program()
  const login = await two.call('POST', 'login', credentials(userOf(who)))
  expect(login.body).toMatchObject({ requiresMFA: true, requiredAction: null })
  expect(login.body.mfaMethods).toEqual(['MFA_METHOD_TOTP', 'MFA_METHOD_BACKUP_CODE'])
  expect(database.actions(login.requestId)).toEqual(['session.password-accepted'])
  expect(two.client.cookies.has('__Host-session')).toBe(false)
  expect((await two.call('GET', 'session')).status).toBe(401)
  const { mfaSessionToken } = login.body

  const thief = await program().call('POST', 'verify-mfa', { mfaSessionToken, code: '123456' })
  expect([thief.status, thief.body.code]).toEqual([401, 'sign-in-gone'])
  const other = await two.call('POST', 'verify-mfa', { mfaSessionToken: SOME_ID, code: '123456' })
  expect([other.status, other.body.code]).toEqual([401, 'sign-in-gone'])
})

test('API: second factor of a sign-in: wrong, replayed and right codes', async () => {
  const who = 'titular'
  const one = await signedIn(who)
  const { secret } = (await one.call('POST', 'mfa/totp/enable')).body
  const code = codeAt(secret, Date.now() as never)
  const { backupCodes } = (await one.call('POST', 'mfa/totp/verify-setup', { code })).body

  const two = program()
  const { mfaSessionToken } = (await two.call('POST', 'login', credentials(userOf(who)))).body
  const began = Date.now()
  const replayed = await two.call('POST', 'verify-mfa', { mfaSessionToken, code })
  expect([replayed.status, replayed.body.attemptsLeft]).toEqual([401, 4])
  expect(Date.parse(replayed.body.serverTime)).toBeGreaterThanOrEqual(began)
  expect(Date.parse(replayed.body.serverTime)).toBeLessThanOrEqual(Date.now())
  expect(database.actions(replayed.requestId)).toEqual(['session.second-factor-refused (refused)'])
  const right = await two.call('POST', 'verify-mfa', {
    mfaSessionToken,
    mfaMethod: 'MFA_METHOD_TOTP',
    code: nextCode(who, secret),
  })
  expect(right.body).toMatchObject({
    requiresMFA: false,
    mfaSessionToken: null,
    session: { mfaMethod: 'MFA_METHOD_TOTP' },
  })
  expect(database.actions(right.requestId)).toEqual(['session.started'])
  expect(two.client.cookies.has('__Host-sign-in')).toBe(false)

  const three = program()
  await three.call('POST', 'login', credentials(userOf(who)))
  const backup = await three.call('POST', 'verify-mfa', { code: backupCodes[0] })
  expect(backup.body).toMatchObject({ session: { mfaMethod: 'MFA_METHOD_BACKUP_CODE' } })
  const again = program()
  await again.call('POST', 'login', credentials(userOf(who)))
  const used = await again.call('POST', 'verify-mfa', {
    mfaMethod: 'MFA_METHOD_BACKUP_CODE',
    code: backupCodes[0],
  })
  expect(used.status).toBe(401)

  for (let left = 3; left > 0; left--) {
    const wrong = await again.call('POST', 'verify-mfa', { code: '000000' })
    expect([wrong.status, wrong.body.attemptsLeft]).toEqual([401, left])
  }
  const spent = await again.call('POST', 'verify-mfa', { code: '000000' })
  expect([spent.status, spent.body.code]).toEqual([401, 'sign-in-gone'])
})

test('API: sensitive calls require a recent proof of identity, and a code provides it', async () => {
  const who = 'suplente'
  database.change('delete from attempts')
  const one = await signedIn(who)
  const { secret } = (await one.call('POST', 'mfa/totp/enable')).body
  await one.call('POST', 'mfa/totp/verify-setup', { code: codeAt(secret, Date.now() as never) })
  const { id } = (await one.call('GET', 'session')).body
  database.change('update sessions set proven_at = ? where id = ?', Date.now() - 601_000, id)

  const sensitive: [Method, string][] = [
    ['POST', 'mfa/backup-codes/regenerate'],
    ['POST', 'mfa/totp/enable'],
    ['POST', 'mfa/totp/disable'],
    ['POST', 'webauthn/register/begin'],
    ['POST', 'sessions/terminate-all'],
    ['DELETE', `sessions/${id}`],
    ['DELETE', `webauthn/credentials/${SOME_ID}`],
  ]
  for (const [method, path] of sensitive) {
    const { status, body, requestId } = await one.call(method, path)
    expect([path, status, body.code]).toEqual([path, 403, 'step-up-needed'])
    expect(database.eventsOf(requestId)).toEqual([])
  }
  const wrong = await one.call('POST', 'verify-mfa', { code: '000000' })
  expect(wrong.status).toBe(401)
  expect(database.actions(wrong.requestId)).toEqual(['session.step-up-refused (refused)'])
  const before = one.client.cookies.get('__Host-session')
  const proof = await one.call('POST', 'verify-mfa', { code: nextCode(who, secret) })
  expect(proof.body).toMatchObject({ requiresMFA: false, session: { id } })
  expect(database.actions(proof.requestId)).toEqual(['session.stepped-up'])
  expectRenewed(one, before)

  const codes = await one.call('POST', 'mfa/backup-codes/regenerate')
  expect(codes.body.backupCodes).toHaveLength(10)
  expect(database.actions(codes.requestId)).toEqual(['backup-codes.created'])
  const disabled = await one.call('POST', 'mfa/totp/disable')
  expect([disabled.status, database.actions(disabled.requestId)]).toEqual([204, ['totp.disabled']])
  expect((await one.call('POST', 'mfa/totp/disable')).status).toBe(404)
})

test('API: a security key is registered, renamed, used for both proofs and removed', async () => {
  const who = 'auxiliar'
  const key = softwareAuthenticator({ origin: server.demo.origin })
  const one = await signedIn(who)
  expect((await one.call('GET', 'webauthn/credentials')).body).toEqual({ credentials: [] })

  const begun = await one.call('POST', 'webauthn/register/begin')
  expect(begun.body.publicKey.pubKeyCredParams.map(({ alg }) => alg)).toEqual([-8, -7, -257])
  const credential = key.register(begun.body.publicKey)
  const registered = await one.call('POST', 'webauthn/register/finish', {
    name: 'Roja',
    credential,
  })
  expect([registered.status, registered.body.credential?.name]).toEqual([200, 'Roja'])
  expect(registered.body.backupCodes).toHaveLength(10)
  expect(database.actions(registered.requestId)).toEqual([
    'webauthn.registered',
    'backup-codes.created',
  ])
  const again = await one.call('POST', 'webauthn/register/finish', { credential })
  expect([again.status, again.body.code]).toEqual([422, 'factor-refused'])
  expect(database.actions(again.requestId)).toEqual(['webauthn.refused (refused)'])

  const { id } = registered.body.credential
  const renamed = await one.call('PUT', `webauthn/credentials/${id}`, { name: 'Azul' })
  expect([renamed.status, renamed.body.name]).toEqual([200, 'Azul'])
  expect(database.actions(renamed.requestId)).toEqual(['webauthn.renamed'])
  for (const name of ['', ' ', 'x'.repeat(61), 7])
    expect((await one.call('PUT', `webauthn/credentials/${id}`, { name })).status).toBe(422)

  const two = program()
  const login = await two.call('POST', 'login', credentials(userOf(who)))
  expect(login.body.mfaMethods).toEqual(['MFA_METHOD_WEBAUTHN', 'MFA_METHOD_BACKUP_CODE'])
  const { mfaSessionToken } = login.body
  const asked = await two.call('POST', 'webauthn/authenticate/begin', { mfaSessionToken })
  expect(asked.body.publicKey).toMatchObject({
    rpId: 'localhost',
    userVerification: 'discouraged',
    allowCredentials: [{ id: key.credentialId }],
  })
  const answer = key.assert(asked.body.publicKey)
  const shown = await two.call('POST', 'webauthn/authenticate/finish', {
    mfaSessionToken,
    credential: answer,
  })
  expect(shown.body).toMatchObject({ session: { mfaMethod: 'MFA_METHOD_WEBAUTHN' } })
  expect(database.actions(shown.requestId)).toEqual(['session.started'])

  const stepUp = await two.call('POST', 'webauthn/authenticate/begin')
  expect(stepUp.body.publicKey.userVerification).toBe('required')
  const replayed = await two.call('POST', 'webauthn/authenticate/finish', { credential: answer })
  expect([replayed.status, replayed.body.code]).toEqual([401, 'factor-refused'])
  const proven = await two.call('POST', 'webauthn/authenticate/finish', {
    credential: key.assert(stepUp.body.publicKey),
  })
  expect(proven.status).toBe(200)
  expect(database.actions(proven.requestId)).toEqual(['session.stepped-up'])

  const stranger = await signedIn('auditora')
  for (const [method, body] of [
    ['PUT', { name: 'Mía' }],
    ['DELETE', undefined],
  ] as const) {
    expect((await stranger.call(method, `webauthn/credentials/${id}`, body)).status).toBe(404)
    expect((await two.call(method, `webauthn/credentials/${SOME_ID}`, body)).status).toBe(404)
    expect((await two.call(method, 'webauthn/credentials/x', body)).status).toBe(404)
  }
  const removed = await two.call('DELETE', `webauthn/credentials/${id}`)
  expect([removed.status, database.actions(removed.requestId)]).toEqual([204, ['webauthn.removed']])
  expect((await two.call('DELETE', `webauthn/credentials/${id}`)).status).toBe(404)
  expect((await two.call('POST', 'webauthn/authenticate/begin')).status).toBe(401)
})

test('API: changing the password ends all other sessions and links', async () => {
  const who = 'abogada'
  const one = await signedIn(who)
  const other = await signedIn(who)
  const { password } = userOf(who)
  const change = (currentPassword: string, newPassword: string) =>
    one.call('POST', 'change-password', { currentPassword, newPassword })

  const wrong = await change('no es esta contraseña', 'cuatro palabras que nadie adivina')
  expect([wrong.status, wrong.body.code]).toEqual([422, 'wrong-password'])
  expect(database.actions(wrong.requestId)).toEqual(['password.refused (refused)'])
  const weak = await change(password, 'contraseña12345')
  expect([weak.status, weak.body.code]).toEqual([422, 'weak-password'])
  expect((await change(password, password)).body.code).toBe('weak-password')

  const before = one.client.cookies.get('__Host-session')
  const others = liveSessions(who) - 1
  const changed = await change(password, 'cuatro palabras que nadie adivina')
  expect(changed.status).toBe(200)
  expect(changed.body.terminated).toBe(others)
  expect(database.actions(changed.requestId)).toEqual(['password.changed'])
  expectRenewed(one, before)
  expect((await one.call('GET', 'session')).status).toBe(200)
  expect((await other.call('GET', 'session')).status).toBe(401)
  const old = await program().call('POST', 'login', credentials(userOf(who)))
  expect(old.status).toBe(401)
})

test('API: a user who must change the password can call nothing else', async () => {
  const who = 'auditora'
  const one = await signedIn(who)
  database.change(
    'update users set password_change_since = ? where id = ?',
    Date.now(),
    userIdOf(who),
  )
  for (const [method, path] of [
    ['POST', 'mfa/totp/enable'],
    ['GET', 'webauthn/credentials'],
  ] as const) {
    const { status, body } = await one.call(method, path)
    expect([path, status, body.code]).toEqual([path, 403, 'password-change-needed'])
  }
  const login = await program().call('POST', 'login', credentials(userOf(who)))
  expect(login.body.requiredAction).toBe('CHANGE_PASSWORD')
  const changed = await one.call('POST', 'change-password', {
    currentPassword: userOf(who).password,
    newPassword: 'ñandú ✓ 𝔘nicode y algo más',
  })
  expect(changed.status).toBe(200)
  expect((await one.call('GET', 'webauthn/credentials')).status).toBe(200)
})

test('API: CORS headers allow no other site', async () => {
  const one = await signedIn('auxiliar')
  for (const [, path] of CALLS.filter(([method]) => method === 'GET'))
    for (const origin of ['https://evil.example', 'null']) {
      const answer = await one.send('GET', path, { headers: { Origin: origin } })
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
      expect(answer.headers['cross-origin-resource-policy']).toBe('same-origin')
    }
})
