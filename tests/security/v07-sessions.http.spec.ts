import { DASHBOARD_STOPS } from '#tests/e2e/support/site-map.ts'
import { call, copyOf, expect, isIn, test } from './support/suite.ts'

const ACCESS = '__Host-session'
const REFRESH = '__Host-refresh_token'

test('V7.2.1 session token with one changed character: refused', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const client = await enter(newcomer)
  expect(await isIn(copyOf(client, visitor))).toBe(true)
  for (const name of [ACCESS, REFRESH]) {
    const value = client.cookies.get(name) ?? ''
    const other = name === ACCESS ? REFRESH : ACCESS
    for (const at of [0, 20, value.length - 2]) {
      const forger = copyOf(client, visitor)
      forger.cookies.delete(other)
      const letter = value[at] === 'A' ? 'B' : 'A'
      forger.cookies.set(name, value.slice(0, at) + letter + value.slice(at + 1))
      expect([name, at, await isIn(forger)]).toEqual([name, at, false])
    }
  }
})

test('V7.2.2 sign-in: each one gets new tokens', async ({ enter, newcomer }) => {
  const seen = new Set<string>()
  for (let time = 0; time < 4; time += 1) {
    const client = await enter(newcomer)
    for (const name of [ACCESS, REFRESH]) seen.add(client.cookies.get(name) ?? '')
  }
  expect(seen.size).toBe(8)
})

test('V7.2.3 session tokens: 256 random bits', async ({ enter, newcomer, rows }) => {
  const tokens: string[] = []
  for (let time = 0; time < 6; time += 1) {
    const client = await enter(newcomer)
    tokens.push(client.cookies.get(ACCESS) ?? '', client.cookies.get(REFRESH) ?? '')
  }
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(tokens.filter((other) => other.startsWith(token.slice(0, 6)))).toHaveLength(1)
  }
  const stored = JSON.stringify(rows.all('select * from session_tokens'))
  for (const token of tokens) expect(stored).not.toContain(token)
})

test('V7.2.4 session tokens: renewed after sign-in, step-up and refresh', async ({
  visitor,
  newcomer,
  rows,
}) => {
  const client = visitor()
  const csrf = await client.token('/login')
  client.cookies.set(ACCESS, 'a'.repeat(43))
  await client.raw('/login', {
    method: 'POST',
    headers: { Origin: client.origin, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: `${new URLSearchParams({ csrf, email: newcomer.email, password: newcomer.password })}`,
  })
  // Not the one that the client sent.
  expect(client.cookies.get(ACCESS)).toMatch(/^(?!a{43})[\w-]{43}$/)
  const before = copyOf(client, visitor)
  before.cookies.delete(REFRESH)
  const { password } = newcomer
  rows.change('update sessions set proven_at = 1 where user_id = ?', newcomer.id)
  const proven = await client.post('/step-up', { method: 'PASSWORD', password })
  expect(proven.status).toBe(303)
  expectOther(client.cookies.get(ACCESS), before.cookies.get(ACCESS))
  expect(await isIn(before), 'the tokens of before').toBe(false)
  const [access, refresh] = [client.cookies.get(ACCESS), client.cookies.get(REFRESH)]
  expect((await call(client, 'POST', 'refresh', {})).status).toBe(200)
  expectOther(client.cookies.get(ACCESS), access)
  expectOther(client.cookies.get(REFRESH), refresh)
  expect(await isIn(client)).toBe(true)
})

function expectOther(token: string | undefined, before: string | undefined): void {
  expect([token, before]).toEqual([expect.stringMatching(/^[\w-]{43}$/), expect.any(String)])
  expect(token).not.toBe(before)
}

test('V7.3.1 session: ends after the idle time', async ({ enter, visitor, newcomer, rows }) => {
  const client = await enter(newcomer)
  const [office] = rows.all<{ idle: number }>(
    `select session_idle_ms as idle from offices
     where id = (select office_id from users where id = ?)`,
    newcomer.id,
  )
  const idle = office?.idle ?? Number.NaN
  const rest = (ms: number) => {
    const since = Date.now() - ms
    const sql = 'update sessions set last_seen_at = ? where user_id = ?'
    expect(rows.change(sql, since, newcomer.id)).toBe(1)
    return since
  }
  const seen = () =>
    rows.all('select last_seen_at as seen from sessions where user_id = ?', newcomer.id)
  const since = rest(idle - 20_000)
  expect((await client.get('/api/v1/auth/session/validate')).status).toBe(200)
  expect((await client.get('/dashboard', { 'Sec-Purpose': 'prefetch' })).status).toBe(200)
  expect(seen(), 'what a page asks by itself is rest').toEqual([{ seen: since }])
  rest(idle + 1_000)
  const thief = copyOf(client, visitor)
  thief.cookies.delete(ACCESS)
  expect(await isIn(thief), 'nor by the other token').toBe(false)
  const { status, headers } = await client.get('/dashboard/audit')
  expect([status, headers.location]).toEqual([302, '/login?returnUrl=%2Fdashboard%2Faudit'])
})

test('V7.3.2 session: ends at its absolute limit despite activity', async ({
  enter,
  newcomer,
  rows,
}) => {
  const client = await enter(newcomer)
  expect(
    rows.all(
      `select expires_at - sessions.created_at as lasts, session_absolute_ms as wanted
       from sessions join offices on offices.id = office_id where user_id = ?`,
      newcomer.id,
    ),
  ).toEqual([{ lasts: 12 * 3_600_000, wanted: 12 * 3_600_000 }])
  expect(await isIn(client)).toBe(true)
  rows.change('update sessions set expires_at = ? where user_id = ?', Date.now() - 1, newcomer.id)
  expect((await call(client, 'POST', 'refresh', {})).status).toBe(401)
  expect(await isIn(client)).toBe(false)
})

test('V7.4.1 sign-out: ends the session on the server', async ({ enter, visitor, newcomer }) => {
  for (const way of ['form', 'call'] as const) {
    const client = await enter(newcomer)
    const kept = copyOf(client, visitor)
    expect(await isIn(kept)).toBe(true)
    const left =
      way === 'form' ? await client.post('/logout', {}) : await call(client, 'POST', 'logout', {})
    expect([way, left.status]).toEqual([way, way === 'form' ? 303 : 204])
    expect(await isIn(kept)).toBe(false)
    kept.cookies.delete(ACCESS)
    expect(await isIn(kept), 'by the refresh token alone').toBe(false)
    expect((await call(kept, 'POST', 'refresh', {})).status).toBe(401)
  }
})

test('V7.4.2 suspended user: all sessions end at once', async ({
  enter,
  visitor,
  newcomer,
  person,
}) => {
  const clients = [await enter(newcomer), await enter(newcomer)]
  const administrator = await enter(person('administrador'))
  const suspended = await administrator.post(`/dashboard/users/${newcomer.id}`, {
    intent: 'suspend',
    reason: 'Dejó de trabajar en la notaría.',
  })
  expect(suspended.status).toBe(303)
  for (const client of clients) {
    expect((await call(client, 'POST', 'refresh', {})).status).toBe(401)
    expect(await isIn(client)).toBe(false)
  }
  expect((await visitor().post('/login', newcomer)).status).toBe(401)
})

test('V7.4.3 password change: ends all other sessions', async ({ enter, newcomer }) => {
  const [here, elsewhere] = [await enter(newcomer), await enter(newcomer)]
  const change = {
    currentPassword: newcomer.password,
    newPassword: 'tortuga verde sobre el tejado',
  }
  expect((await call(here, 'POST', 'change-password', change)).status).toBe(200)
  expect(await isIn(here)).toBe(true)
  expect(await isIn(elsewhere)).toBe(false)
})

test('V7.4.4 sign-out: offered on every page of a session', async ({ enter, person }) => {
  const client = await enter(person('administrador'))
  for (const { path } of [...DASHBOARD_STOPS, { path: '/dashboard/no-such-page' }]) {
    const { text } = await client.get(path)
    expect([path, /<form[^>]*action="\/logout"/.test(text)]).toEqual([path, true])
  }
})

test('V7.4.5 administrator: ends one session or all sessions of a user', async ({
  enter,
  newcomer,
  person,
  rows,
}) => {
  const clients = [await enter(newcomer), await enter(newcomer), await enter(newcomer)]
  const administrator = await enter(person('administrador'))
  const sessions = rows.all<{ id: string }>(
    'select id from sessions where user_id = ? order by created_at',
    newcomer.id,
  )
  const at = `/dashboard/users/${newcomer.id}`
  const one = await administrator.post(at, {
    intent: 'end-session',
    sessionId: sessions[0]?.id ?? '',
  })
  expect(one.status).toBe(303)
  expect(await Promise.all(clients.map(isIn))).toEqual([false, true, true])
  expect((await administrator.post(at, { intent: 'end-sessions' })).status).toBe(303)
  expect(await Promise.all(clients.map(isIn))).toEqual([false, false, false])
  const recorded = rows.actions(String(one.headers['x-request-id']))
  expect(recorded).toEqual(['session.ended'])
})

test('V7.5.1 account changes: require a recent proof of identity', async ({
  enter,
  newcomer,
  person,
  rows,
}) => {
  const client = await enter(newcomer)
  rows.change(
    'update sessions set proven_at = ? where user_id = ?',
    Date.now() - 660_000,
    newcomer.id,
  )
  for (const [method, path] of [
    ['POST', 'sessions/terminate-all'],
    ['POST', 'mfa/totp/enable'],
    ['POST', 'mfa/totp/disable'],
    ['POST', 'mfa/backup-codes/regenerate'],
    ['POST', 'webauthn/register/begin'],
  ] as const) {
    const { status, body } = await call(client, method, path, {})
    expect([path, status, body.code]).toEqual([path, 403, 'step-up-needed'])
  }
  const administrator = await enter(person('administrador'))
  rows.change(
    'update sessions set proven_at = 1 where user_id = (select id from users where email = ?)',
    person('administrador').email,
  )
  const asked = await administrator.post(`/dashboard/users/${newcomer.id}`, {
    intent: 'suspend',
    reason: 'Una razón cualquiera.',
  })
  expect(asked.headers.location).toMatch(/^\/step-up\/[0-9a-f-]{36}$/)
  expect(await isIn(client)).toBe(true)
})

test('V7.5.2 own sessions: every user can list and end them', async ({
  enter,
  newcomer,
  person,
}) => {
  const [here, elsewhere] = [await enter(newcomer), await enter(newcomer)]
  const { body } = await call(here, 'GET', 'sessions')
  expect(body.total).toBe(2)
  const [other] = body.sessions.filter(({ isCurrent }) => !isCurrent)
  const stranger = await enter(person('CLERK'))
  expect((await call(stranger, 'DELETE', `sessions/${other?.id}`)).status).toBe(404)
  expect(await isIn(elsewhere)).toBe(true)
  expect((await call(here, 'DELETE', `sessions/${other?.id}`)).status).toBe(204)
  expect(await isIn(elsewhere)).toBe(false)
})

test('V7.6.2 visiting pages: starts no session', async ({ visitor, rows, newcomer }) => {
  const client = visitor('192.0.2.99')
  for (const [path, wanted] of [
    ['/', 200],
    ['/login', 200],
    ['/activate', 200],
    ['/mfa', 303],
    ['/dashboard', 302],
    ['/logout', 302],
    ['/api/v1/auth/health', 200],
    ['/api/v1/auth/session/validate', 200],
  ] as const)
    expect([path, (await client.get(path)).status]).toEqual([path, wanted])
  expect(client.cookies.has(ACCESS)).toBe(false)
  const opened = () => rows.all("select id from sessions where ip = '192.0.2.99'")
  expect(opened()).toEqual([])
  expect((await client.post('/login', newcomer)).status).toBe(303)
  expect(opened()).toHaveLength(1)
})
