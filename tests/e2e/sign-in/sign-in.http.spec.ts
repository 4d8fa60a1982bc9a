import { expect, test } from '#tests/e2e/support/fixtures.ts'
import { clientOf, multipart, signedInClient } from '#tests/e2e/support/http.ts'

const AWAY = [
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\/evil.example',
  '/\t/evil.example',
  '/%09/evil.example',
  '/%5Cevil.example',
  '/%2Fevil.example',
  '/.//evil.example',
  '/dashboard/..//evil.example',
  'https:evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'data:text/html,x',
  'evil.example',
  '@evil.example',
  '',
  `/${'a'.repeat(4_000)}`,
]

test('returnUrl: never leaves the site', async ({ demo, person }) => {
  for (const returnUrl of AWAY) {
    const client = clientOf(demo.origin)
    const { email, password } = person('CLERK')
    const address = `/login?returnUrl=${encodeURIComponent(returnUrl)}`
    const { status, headers } = await client.post(address, { email, password })
    expect([returnUrl, status, headers.location]).toEqual([returnUrl, 303, '/dashboard'])
    const again = await client.get(address)
    expect([returnUrl, again.headers.location]).toEqual([returnUrl, '/dashboard'])
  }
})

test('returnUrl: a repeated one, or one with @, stays on the site', async ({ demo, person }) => {
  const { email, password } = person('CLERK')
  for (const [query, to] of [
    ['returnUrl=%2Fdashboard%2Faudit&returnUrl=%2F%2Fevil.example', '/dashboard/audit'],
    ['returnUrl=%2F%2Fevil.example&returnUrl=%2Fdashboard%2Faudit', '/dashboard'],
    ['returnUrl=%2F%40evil.example', '/@evil.example'],
  ] as const) {
    const answer = await clientOf(demo.origin).post(`/login?${query}`, { email, password })
    expect([query, answer.status, answer.headers.location]).toEqual([query, 303, to])
  }
  const long = await clientOf(demo.origin).get(`/login?returnUrl=/${'a'.repeat(12_000)}`)
  expect(long.status).toBe(200)
})

test('session cookie: has the __Host- prefix, Secure and HttpOnly', async ({ demo, person }) => {
  const client = clientOf(demo.origin)
  const { email, password } = person('CLERK')
  const { headers } = await client.post('/login', { email, password })
  const cookie = headers['set-cookie']?.find((line) => line.startsWith('__Host-session='))
  const [value = '', ...attributes] = (cookie ?? '').split('; ')
  expect(value).toMatch(/^__Host-session=[\w-]{43}$/)
  expect(attributes.filter((attribute) => !attribute.startsWith('Max-Age='))).toEqual([
    'Path=/',
    'Secure',
    'HttpOnly',
    'SameSite=Lax',
  ])
})

test('sign-in: each one starts its own session and leaves earlier ones alone', async ({
  demo,
  person,
}) => {
  const first = await signedInClient(demo.origin, person('CLERK'))
  const second = await signedInClient(demo.origin, person('CLERK'))
  const tokenOf = (client: typeof first) => client.cookies.get('__Host-session')
  expect(tokenOf(first)).not.toBe(tokenOf(second))
  await second.post('/logout', {})
  expect((await second.get('/dashboard')).status).toBe(302)
  expect((await first.get('/dashboard')).status).toBe(200)
})

test('sign-out: clears the cookie, and pages are not cached', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const page = await client.get('/dashboard')
  expect(page.headers['cache-control']).toBe('no-store')
  const token = client.cookies.get('__Host-session') ?? ''
  const { status, headers } = await client.post('/logout', {})
  expect([status, headers.location]).toEqual([303, '/login'])
  expect(headers['set-cookie']?.join()).toMatch(/__Host-session=; .*Max-Age=0/)
  client.cookies.set('__Host-session', token)
  expect((await client.get('/dashboard')).headers.location).toBe('/login?returnUrl=%2Fdashboard')
})

const FORMS = [
  '/login',
  '/activate',
  '/change-password',
  '/password-strength',
  '/setup-mfa',
  '/step-up',
  '/verify/document',
  '/dashboard/profile',
  '/dashboard/profile/authenticator',
  '/dashboard/profile/backup-codes',
  '/dashboard/profile/other-sessions',
  '/dashboard/undo',
  '/dashboard/documents/new',
]
const OLD =
  'La página venció mientras estaba abierta. No se guardó nada; recárguela e intente de nuevo.'

test('CSRF: a form without the token, or with another one, is refused', async ({
  demo,
  person,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const stranger = clientOf(demo.origin)
  const theirs = await stranger.token()
  const file = { name: 'file', fileName: 'a.pdf', content: '%PDF-1.7' }
  for (const path of FORMS)
    for (const token of [undefined, '', 'x', theirs]) {
      const parts = [...(token === undefined ? [] : [{ name: 'csrf', content: token }]), file]
      const { type, body } = multipart(parts)
      const headers = { 'Content-Type': type, Origin: demo.origin }
      // A signed-in user is redirected away from /login, whatever was sent.
      const sender = path === '/login' ? clientOf(demo.origin) : client
      const { status, text } = await sender.raw(path, { method: 'POST', headers, body })
      expect([path, token, status]).toEqual([path, token, 403])
      expect(text).toContain(OLD)
    }
  expect((await client.get('/dashboard')).status).toBe(200)
})

test('CSRF: a stale page for sign-out or theme redirects instead of answering data', async ({
  demo,
  person,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const send = (path: string, csrf: string, headers = {}) =>
    client.raw(path, {
      method: 'POST',
      headers: { ...type, Origin: demo.origin, ...headers },
      body: new URLSearchParams({ csrf, theme: 'dark', returnUrl: '/dashboard/audit' }).toString(),
    })
  const csrf = await client.token('/dashboard')

  const forged = await send('/logout', 'x')
  expect([forged.status, forged.headers.location]).toEqual([303, '/login'])
  const living = await client.get('/dashboard')
  expect(living.status).toBe(200)
  expect(living.text).toContain('su sesión sigue abierta')

  const referrer = { Referer: `${demo.origin}/dashboard/documents?state=draft` }
  const old = await send('/theme', 'x', referrer)
  expect([old.status, old.headers.location]).toEqual([303, '/dashboard/documents?state=draft'])
  expect((await client.get('/dashboard/documents')).text).toContain('el tema no se guardó')
  for (const Referer of ['https://evil.example/', `${demo.origin}//evil.example`, ''])
    expect((await send('/theme', 'x', { Referer })).headers.location).toBe('/')

  expect((await send('/logout', csrf)).headers.location).toBe('/login')
  const again = await send('/logout', csrf)
  expect([again.status, again.headers.location]).toEqual([303, '/login'])
  expect((await client.get('/login')).text).toContain('Su sesión se cerró.')
})

test('CSRF: a cross-site form is refused before its body is read', async ({ demo, person }) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const csrf = await client.token('/dashboard')
  const body = new URLSearchParams({ csrf }).toString()
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' }
  for (const foreign of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { Origin: demo.origin.replace('http:', 'https:') },
    { Origin: demo.origin.replace('localhost', '127.0.0.1') },
    { Origin: demo.origin, 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
  ]) {
    const { status, text } = await client.raw('/logout', {
      method: 'POST',
      headers: { ...type, ...foreign },
      body,
    })
    expect([foreign, status]).toEqual([foreign, 403])
    expect(text).toContain('La solicitud viene de otro sitio y fue rechazada.')
  }
  expect((await client.get('/dashboard')).status).toBe(200)
})

test('guarded pages: their data requests are guarded too', async ({ demo }) => {
  const stranger = clientOf(demo.origin)
  for (const path of [
    '/dashboard/documents.data',
    '/dashboard/audit.data?_routes=routes%2Faudit%2Flist',
    '/dashboard/users.data?_routes=routes%2Fusers%2Flist',
  ]) {
    const { status, text } = await stranger.get(path)
    expect([path, status]).toEqual([path, 202])
    expect(text, path).toContain('/login?returnUrl=')
    expect(text, path).not.toContain('notaria.example')
  }
})
