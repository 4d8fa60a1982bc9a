import { randomUUID } from 'node:crypto'
import {
  ageAccess,
  ageProof,
  type Colleague,
  type Office,
  test,
} from '#tests/e2e/support/colleague.ts'
import { expect } from '#tests/e2e/support/fixtures.ts'
import { type Client, clientOf, multipart, signedInClient } from '#tests/e2e/support/http.ts'

const session = (client: Client) => client.cookies.get('__Host-session')
const tokens = (client: Client) => [session(client), client.cookies.get('__Host-refresh_token')]
const minutesAgo = (minutes: number) => Date.now() - minutes * 60_000

/** All audit actions about this user's sessions, oldest first. */
const recorded = (office: Office, { id }: Colleague) =>
  office
    .all<{ action: string }>(
      `select action from audit_events where subject_id = ? or subject_id in
       (select id from sessions where user_id = ?) order by seq`,
      id,
      id,
    )
    .map(({ action }) => action)

/** Parses a `Set-Cookie` line as a browser does. */
function attributesOf(line: string) {
  const [pair = '', ...attributes] = line.split('; ')
  const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
  const others = attributes.filter((attribute) => !/^Max-Age=\d+$/.test(attribute))
  return { name, value, attributes: others.toSorted() }
}

test('sign-in: sets the session, refresh and CSRF cookies with their attributes', async ({
  demo,
  colleague,
}) => {
  const client = clientOf(demo.origin)
  const { headers } = await client.post('/login', { ...colleague })
  const lines = headers['set-cookie'] ?? []
  const secret = ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']
  const readable = ['Path=/', 'SameSite=Strict', 'Secure']
  const token = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/)
  const given = lines.map(attributesOf).filter(({ value }) => value !== '')
  expect(given.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
    { name: '__Host-refresh_token', value: token, attributes: secret },
    { name: '__Host-session', value: token, attributes: secret },
    {
      name: 'csrftoken',
      value: expect.stringMatching(/^[\w-]{22}\.[\w-]{43}$/),
      attributes: readable,
    },
    { name: 'refresh_token', value: '1', attributes: readable },
  ])
  for (const line of lines) expect(line.length).toBeLessThan(4096)
  const [access, refresh] = tokens(client)
  expect(access).not.toBe(refresh)
})

test('session: an expired access token is refreshed transparently for pages, data and forms', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  const seen = new Set<string | undefined>(tokens(client))
  for (const path of ['/dashboard', '/dashboard/documents.data', '/dashboard/profile']) {
    ageAccess(office, colleague)
    const { status, headers } = await client.get(path)
    expect([path, status]).toEqual([path, 200])
    expect(headers['cache-control']).toBe('no-store')
    for (const each of tokens(client)) {
      expect(each).toMatch(/^[\w-]{43}$/)
      expect(seen.has(each)).toBe(false)
    }
    for (const each of tokens(client)) seen.add(each)
  }
  ageAccess(office, colleague)
  const csrf = await client.token('/dashboard')
  ageAccess(office, colleague)
  const body = new URLSearchParams({ csrf, theme: 'dark', returnUrl: '/dashboard' }).toString()
  const type = 'application/x-www-form-urlencoded'
  const headers = { 'Content-Type': type, Origin: demo.origin }
  const { status } = await client.raw('/theme', { method: 'POST', headers, body })
  expect(status).toBe(303)
  expect(
    recorded(office, colleague).filter((action) => action === 'session.refreshed'),
  ).toHaveLength(5)
})

test('refresh: two tabs with twenty requests each get the same successor', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  await client.get('/dashboard')
  ageAccess(office, colleague)
  const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  const requests = Array.from({ length: 40 }, () =>
    clientOf(demo.origin).raw('/dashboard/profile.data', { headers: { Cookie: cookie } }),
  )
  const answers = await Promise.all(requests)
  const given = answers.map(({ headers }) =>
    headers['set-cookie']?.find((line) => line.startsWith('__Host-refresh_token=')),
  )
  for (const { status } of answers) expect(status).toBe(200)
  const values = new Set(given.map((line) => line && attributesOf(line).value))
  values.delete(undefined)
  expect([...values]).toEqual([expect.stringMatching(/^[\w-]{43}$/)])
  expect(
    recorded(office, colleague).filter((action) => action === 'session.refreshed'),
  ).toHaveLength(1)
  // All of those answers were lost; the browser still has its earlier cookies.
  expect((await client.get('/dashboard')).status).toBe(200)
})

test('refresh: reusing an old token ends the session for thief and owner', async ({
  demo,
  colleague,
  office,
}) => {
  const victim = await signedInClient(demo.origin, colleague)
  const thief = clientOf(demo.origin, 'Thief/1.0')
  for (const [name, value] of victim.cookies) thief.cookies.set(name, value)
  ageAccess(office, colleague)
  await victim.get('/dashboard')
  await victim.get('/dashboard')
  office.change(
    `update session_tokens set replaced_at = 1, expires_at = 1 where replaced_at is not null
     and kind = 'access' and session_id in (select id from sessions where user_id = ?)`,
    colleague.id,
  )
  const refused = await thief.get('/dashboard')
  expect([refused.status, refused.headers.location]).toEqual([302, '/login?returnUrl=%2Fdashboard'])
  // The losing request never clears cookies: another tab may already hold newer ones.
  const lines = refused.headers['set-cookie']?.join() ?? ''
  expect(lines).not.toContain('__Host-session=')
  expect(lines).not.toContain('__Host-refresh_token=')
  expect((await victim.get('/dashboard')).headers.location).toBe('/login?returnUrl=%2Fdashboard')
  expect((await victim.get('/login')).text).toContain('Su sesión ha expirado.')
  expect(recorded(office, colleague)).toEqual([
    'session.started',
    'session.refreshed',
    'session.reuse-detected',
  ])
  expect(
    office.all(
      `select kind, severity from alerts where user_id = ? and kind <> 'new-device'`,
      colleague.id,
    ),
  ).toEqual([{ kind: 'refresh-reuse', severity: 'danger' }])
})

test('CSRF cookie: belongs to the browser, then to the session, then to the browser again', async ({
  demo,
  colleague,
}) => {
  const client = clientOf(demo.origin)
  await client.get('/login')
  const csrf = () => client.cookies.get('csrftoken') ?? ''
  const send = (path: string, token: string) =>
    client.raw(path, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/x-www-form-urlencoded',
        Origin: demo.origin,
        'X-CSRFToken': token,
      },
      body: new URLSearchParams({ sessionId: randomUUID() }).toString(),
    })
  const before = csrf()
  const aToken = /^[\w-]{22}\.[\w-]{43}$/
  expect(before).toMatch(aToken)
  await client.get('/login')
  expect(csrf(), 'a good one is not replaced').toBe(before)

  await client.post('/login', { ...colleague })
  const during = csrf()
  expect(during).toMatch(aToken)
  expect(during).not.toBe(before)
  await client.get('/dashboard')
  expect(csrf()).toBe(during)
  expect((await send('/dashboard/profile', before)).status, 'from before signing in').toBe(403)
  expect((await send('/dashboard/profile', during)).status, 'no such session').toBe(404)

  const other = await signedInClient(demo.origin, colleague)
  await other.get('/dashboard')
  const theirs = other.cookies.get('csrftoken') ?? ''
  expect((await send('/dashboard/profile', theirs)).status, 'of another session').toBe(403)

  await client.post('/logout', {})
  expect(csrf()).toMatch(aToken)
  expect(csrf()).not.toBe(during)
})

test('CSRF cookie: unchanged while a client with expired tokens refreshes them', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  await client.get('/dashboard')
  const csrf = client.cookies.get('csrftoken')
  ageAccess(office, colleague)
  expect((await client.get('/api/v1/auth/sessions')).status).toBe(401)
  expect(client.cookies.get('csrftoken')).toBe(csrf)
  const headers = { 'Content-Type': 'application/json', Origin: demo.origin, 'X-CSRFToken': csrf }
  const sent = { method: 'POST', headers, body: '{}' }
  expect((await client.raw('/api/v1/auth/refresh', sent)).status).toBe(200)
  expect((await client.get('/api/v1/auth/sessions')).status).toBe(200)
  expect(client.cookies.get('csrftoken')).toBe(csrf)

  office.change('update sessions set ended_at = 1 where user_id = ?', colleague.id)
  expect((await client.get('/api/v1/auth/sessions')).status).toBe(401)
  expect(client.cookies.get('csrftoken'), 'for signing in again').toMatch(/^[\w-]{22}\./)
  expect(client.cookies.get('csrftoken')).not.toBe(csrf)
})

test('sign-out: clears cookies and storage, and the old cookies open nothing', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  await client.get('/dashboard')
  const kept = new Map(client.cookies)
  const { status, headers } = await client.post('/logout', {})
  expect([status, headers.location]).toEqual([303, '/login'])
  expect(headers['clear-site-data']).toBe('"cache", "storage"')
  for (const name of ['__Host-session', '__Host-refresh_token', 'refresh_token'])
    expect(client.cookies.has(name)).toBe(false)
  for (const without of ['', '__Host-session']) {
    client.cookies = new Map(kept)
    client.cookies.delete(without)
    const cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
    const again = await clientOf(demo.origin).raw('/dashboard', { headers: { Cookie: cookie } })
    expect(again.headers.location).toBe('/login?returnUrl=%2Fdashboard')
  }
  expect(recorded(office, colleague)).toEqual(['session.started', 'session.ended'])
})

test('session: ends after the idle time, and background requests do not count as activity', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  await client.get('/dashboard')
  const rest = (minutes: number) => {
    const since = minutesAgo(minutes)
    const sql = 'update sessions set last_seen_at = ? where user_id = ?'
    expect(office.change(sql, since, colleague.id)).toBe(1)
    return since
  }
  const lastSeen = () =>
    office.all<{ last_seen_at: number }>(
      'select last_seen_at from sessions where user_id = ?',
      colleague.id,
    )[0]?.last_seen_at ?? 0
  const since = rest(20)
  const byItself = [
    await client.get('/api/v1/auth/session/validate'),
    await client.get('/dashboard', { 'Sec-Purpose': 'prefetch' }),
  ]
  ageAccess(office, colleague)
  byItself.push(await client.get('/dashboard', { 'Sec-Purpose': 'prefetch;prerender' }))
  expect(byItself.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(lastSeen()).toBe(since)
  const asked = Date.now()
  await client.get('/dashboard')
  expect(lastSeen()).toBeGreaterThanOrEqual(asked)

  rest(61)
  const over = await client.get('/dashboard/documents?state=draft')
  expect(over.headers.location).toBe('/login?returnUrl=%2Fdashboard%2Fdocuments%3Fstate%3Ddraft')
  expect((await client.get('/login')).text).toContain('Su sesión ha expirado.')
})

test('session: suspending the user ends it with the next request', async ({
  demo,
  colleague,
  office,
}) => {
  const clients = [
    await signedInClient(demo.origin, colleague),
    await signedInClient(demo.origin, colleague),
  ]
  office.change(`update users set state = 'suspended' where id = ?`, colleague.id)
  for (const client of clients)
    expect((await client.get('/dashboard')).headers.location).toBe('/login?returnUrl=%2Fdashboard')
})

test('session: a forced password change precedes every page', async ({
  demo,
  colleague,
  office,
}) => {
  const client = await signedInClient(demo.origin, colleague)
  office.change('update users set password_change_since = 1 where id = ?', colleague.id)
  for (const path of ['/dashboard', '/dashboard/documents?state=draft']) {
    const { status, headers } = await client.get(path)
    expect([status, headers.location]).toEqual([
      302,
      `/change-password?returnUrl=${encodeURIComponent(path)}`,
    ])
  }
})

/** Two sessions of a user whose last proof of identity is old, and the id of the other session. */
async function anOldProof(origin: string, colleague: Colleague, office: Office) {
  const elsewhere = await signedInClient(origin, colleague)
  const here = await signedInClient(origin, colleague)
  ageProof(office, colleague, 11)
  const [first] = office.all<{ id: string }>(
    'select id from sessions where user_id = ? order by created_at limit 1',
    colleague.id,
  )
  return { here, elsewhere, sessionId: first?.id ?? '' }
}

test('step-up: the submitted form completes once, with the new tokens', async ({
  demo,
  colleague,
  office,
}) => {
  const { here, elsewhere, sessionId } = await anOldProof(demo.origin, colleague, office)
  const asked = await here.post('/dashboard/profile', { sessionId })
  expect(asked.status).toBe(303)
  expect(asked.headers.location).toMatch(/^\/step-up\/[0-9a-f-]{36}$/)
  const address = asked.headers.location ?? ''
  expect((await here.get(address)).text).toContain('Confirme su identidad')
  expect((await elsewhere.get('/dashboard')).status).toBe(200)
  expect((await elsewhere.get(address)).headers.location, 'of another session').toBe('/dashboard')

  const wrong = await here.post(address, { method: 'PASSWORD', password: 'no es esta' })
  expect(wrong.status).toBe(401)
  const old = new Map(here.cookies)
  const proof = { method: 'PASSWORD', password: colleague.password }
  const resumed = await here.post(address, proof)
  expect([resumed.status, resumed.headers.location]).toEqual([303, '/dashboard/profile'])
  expect(session(here)).toMatch(/^[\w-]{43}$/)
  expect(session(here)).not.toBe(old.get('__Host-session'))
  expect(here.cookies.has('__Host-flash')).toBe(true)
  expect((await here.get('/dashboard')).status).toBe(200)
  expect((await elsewhere.get('/dashboard')).headers.location).toBe('/login?returnUrl=%2Fdashboard')
  expect(recorded(office, colleague).slice(2)).toEqual([
    'session.step-up-refused',
    'session.stepped-up',
    'session.ended',
  ])

  // The tokens of before open nothing, and the way back leads to the page.
  const cookie = [...old].map((pair) => pair.join('=')).join('; ')
  const late = await clientOf(demo.origin).raw('/dashboard', { headers: { Cookie: cookie } })
  expect(late.headers.location).toBe('/login?returnUrl=%2Fdashboard')
  expect((await here.get(address)).headers.location).toBe('/dashboard/profile')
  // After a proof in another tab, a form of the open page still reaches its own URL.
  const again = await here.post(address, proof)
  expect([again.status, again.headers.location]).toEqual([303, '/dashboard/profile'])
  const other = await here.post(address, { sessionId })
  expect([other.status, other.headers.location]).toEqual([307, '/dashboard/profile'])
  expect(recorded(office, colleague)).toHaveLength(5)
})

test('step-up: a resumed form that is refused shows its own page and URL', async ({
  demo,
  colleague,
  office,
}) => {
  const { here } = await anOldProof(demo.origin, colleague, office)
  const asked = await here.post('/dashboard/profile?from=x', { sessionId: randomUUID() })
  const proof = { method: 'PASSWORD', password: colleague.password }
  const resumed = await here.post(asked.headers.location ?? '', proof)
  expect(resumed.status).toBe(404)
  expect(resumed.text).toContain('El recurso solicitado no fue encontrado.')
  expect(resumed.text).toContain(`history.replaceState(null,'',"/dashboard/profile?from=x")`)
  expect(resumed.headers['cache-control']).toBe('no-store')
  expect((await here.get('/dashboard')).status).toBe(200)
})

test('step-up: a kept form that cannot be decrypted is dropped, and the session stays', async ({
  demo,
  colleague,
  office,
}) => {
  const { here, sessionId } = await anOldProof(demo.origin, colleague, office)
  const asked = await here.post('/dashboard/profile', { sessionId })
  const address = asked.headers.location ?? ''
  office.change(
    `update kept_requests set sealed_body = x'00' where id = ?`,
    address.replace('/step-up/', ''),
  )
  const proof = { method: 'PASSWORD', password: colleague.password }
  const resumed = await here.post(address, proof)
  expect([resumed.status, resumed.headers.location]).toEqual([303, '/dashboard/profile'])
  expect((await here.get('/dashboard/profile')).text).toContain('Repita la acción.')
})

test('step-up: a submission of a hydrated page is kept as well', async ({
  demo,
  colleague,
  office,
}) => {
  const { here, sessionId } = await anOldProof(demo.origin, colleague, office)
  const asked = await here.post('/dashboard/profile.data', { sessionId })
  expect(asked.text).toMatch(/\/step-up\/[0-9a-f-]{36}/)
  expect(asked.headers['x-remix-reload-document']).toBe('true')
})

test('step-up: forms with passwords, keys or files are not kept', async ({
  demo,
  colleague,
  office,
}) => {
  const { here, sessionId } = await anOldProof(demo.origin, colleague, office)
  for (const name of ['password', 'Contraseña', 'privateKey', 'clave', 'code']) {
    const { headers } = await here.post('/dashboard/profile', { sessionId, [name]: 'x' })
    expect([name, headers.location]).toEqual([name, '/step-up?returnUrl=%2Fdashboard%2Fprofile'])
  }
  const csrf = await here.token('/dashboard')
  const parts = [
    { name: 'csrf', content: csrf },
    { name: 'sessionId', content: sessionId },
  ]
  const file = { name: 'file', fileName: 'a.txt', content: 'x' }
  for (const [sent, way] of [
    [[...parts, file], /^\/step-up\?returnUrl=/],
    [parts, /^\/step-up\/[0-9a-f-]{36}$/],
  ] as const) {
    const { type, body } = multipart(sent)
    const headers = { 'Content-Type': type, Origin: demo.origin }
    const answer = await here.raw('/dashboard/profile', { method: 'POST', headers, body })
    expect(answer.headers.location).toMatch(way)
  }
  const large = await here.post('/dashboard/profile', {
    sessionId,
    note: 'x'.repeat(40_000),
    more: 'x'.repeat(40_000),
  })
  expect(large.headers.location).toBe('/step-up?returnUrl=%2Fdashboard%2Fprofile')
  expect(office.all('select id from kept_requests where session_id = ?', sessionId)).toEqual([])
})
