import { DASHBOARD_STOPS, isOfStaff } from '#tests/e2e/support/site-map.ts'
import { call, expect, test } from './support/suite.ts'
import { tour } from './support/tour.ts'

test('V14.2.1 URLs: contain no secret and no personal data', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const client = await enter(newcomer)
  // A set: a list that has rows is a form of its own beside its filters.
  const forms = new Set<string>()
  const secret =
    /[?&;/](?:[^"'\s]*[?&])?(?:password|code|token|csrf|email|rfc|curp|session)=|@notaria\.example|[?&/][A-Za-z0-9_-]{43}(?:["&]|$)/i
  for (const [what, { text, headers }] of await tour(client, visitor())) {
    const addresses = [...text.matchAll(/(?:href|src|action)="([^"]*)"/g)].map(
      ([, url = '']) => url,
    )
    for (const address of [...addresses, headers.location ?? ''])
      expect([what, address, secret.test(address)]).toEqual([what, address, false])
    // The code of a document is public: it stands on paper.
    for (const [form] of text.matchAll(/<form[^>]*>[\s\S]*?<\/form>/g))
      if (!/method="post"|action="\/verify\/document"/i.test(form)) {
        expect(form).not.toMatch(/type="password"|name="(?:code|csrf|email)"/)
        forms.add(what)
      }
  }
  expect([...forms]).toEqual(
    [
      ...['documents', 'documents/numbers', 'signing/parties', 'certificates', 'users'],
      ...['search', 'obligations', 'audit', 'reports/documents', 'reports/acts'],
      ...['reports/times', 'reports/certificates', 'reports/constancias', 'reports/instruments'],
    ].map((page) => `GET /dashboard/${page} by a person`),
  )
  for (const address of [
    '/activate?code=7K3F',
    '/dashboard/users?email=a',
    '/x/persona@notaria.example',
    `/sign/${'a'.repeat(43)}`,
  ])
    expect([address, secret.test(address)]).toEqual([address, true])
})

test('V14.2.2 shared caches: may not store personal data', async ({ enter, visitor, newcomer }) => {
  let ofPerson = 0
  for (const [what, { headers }] of await tour(await enter(newcomer), visitor())) {
    if (!what.endsWith('by a person')) continue
    ofPerson += 1
    expect([what, headers['cache-control']]).toEqual([
      what,
      expect.stringMatching(/^(?:private, no-cache|no-store|private, no-store)$/),
    ])
  }
  expect(ofPerson).toBe(81)
})

test('V14.2.5 page URL with a file extension: not found', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const path of [
    '/dashboard/profile/x.css',
    '/dashboard/profile.css',
    '/dashboard/x.js',
    '/dashboard/profile;x.css',
    '/dashboard/profile%2fx.css',
    '/dashboard/profile/%2e%2e/x.png',
  ]) {
    const { status, headers, text } = await client.get(path)
    expect([path, status]).toEqual([path, 404])
    expect([path, headers['cache-control']]).toEqual([path, 'no-store'])
    expect([path, text.includes(newcomer.email)]).toEqual([path, false])
  }
})

test('V14.2.6 API answers: contain no credential or hash', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const path of ['session', 'session/validate', 'sessions', 'webauthn/credentials']) {
    const { status, text } = await call(client, 'GET', path)
    expect([path, status]).toEqual([path, 200])
    expect([path, /hash|secret|password|token(?!s?")|csrf|salt|\$argon2/i.exec(text)?.[0]]).toEqual(
      [path, undefined],
    )
  }
})

test('V14.3.1 sign-out: clears browser storage', async ({ enter, newcomer }) => {
  for (const way of ['form', 'call'] as const) {
    const client = await enter(newcomer)
    const names = ['__Host-session', '__Host-refresh_token', 'refresh_token']
    for (const name of names)
      expect([way, name, client.cookies.has(name)]).toEqual([way, name, true])
    const { headers } =
      way === 'form' ? await client.post('/logout', {}) : await call(client, 'POST', 'logout', {})
    expect(headers['clear-site-data']).toBe('"cache", "storage"')
    for (const name of names)
      expect([way, name, client.cookies.has(name)]).toEqual([way, name, false])
  }
})

test('V14.3.2 pages, data and calls of a session: not cached', async ({ enter, person }) => {
  const client = await enter(person('administrador'))
  for (const { path } of DASHBOARD_STOPS) {
    for (const asked of [path, `${path}.data`]) {
      const { status, headers } = await client.get(asked)
      expect([asked, status]).toEqual([asked, isOfStaff({ path }) ? 403 : 200])
      expect([asked, headers['cache-control']]).toEqual([asked, 'no-store'])
    }
  }
  for (const path of ['sessions', 'session', 'session/validate', 'webauthn/credentials'])
    expect([path, (await call(client, 'GET', path)).headers['cache-control']]).toEqual([
      path,
      'no-store',
    ])
})
