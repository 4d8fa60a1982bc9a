import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { multipart } from '#tests/e2e/support/http.ts'
import { mutatingRoutes } from './support/routes.ts'
import { type Client, call, expect, isIn, linesOf, test } from './support/suite.ts'
import { isPage, tour } from './support/tour.ts'

/** Every cookie that a stay sets, from the first page to the way out. */
async function cookiesOfAStay(client: Client, account: { email: string; password: string }) {
  const answers = [
    await client.get('/login'),
    await client.post('/login', { email: account.email, password: 'no es esta contraseña' }),
    await client.post('/login', account),
    await client.post('/theme', { theme: 'dark', returnUrl: '/dashboard' }),
    await client.get('/dashboard'),
    await call(client, 'POST', 'refresh', {}),
    await client.post('/logout', {}),
    await client.get('/login'),
  ]
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 303, 303, 200, 200, 303, 200])
  return answers.flatMap(linesOf).map((line) => {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    return { line, name, value, attributes }
  })
}

const READABLE = ['csrftoken', 'refresh_token']
const PREFIXED = [
  '__Host-browser',
  '__Host-flash',
  '__Host-refresh_token',
  '__Host-session',
  '__Host-sign-in',
  '__Host-theme',
]

test('V3.2.1 data opened as a page: not rendered as HTML', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  const navigation = {
    'Sec-Fetch-Dest': 'document',
    'Sec-Fetch-Mode': 'navigate',
    Accept: 'text/html',
  }
  const { headers } = await client.get('/api/v1/auth/sessions', navigation)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  expect(headers['x-content-type-options']).toBe('nosniff')
  expect(headers['content-security-policy']).toBe(
    "default-src 'none'; frame-ancestors 'none'; sandbox",
  )
  const made = await client.postParts('/dashboard/documents/new', [
    { name: 'title', content: aTitle() },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName: 'a.pdf', content: aPdf() },
  ])
  const file = await client.get(`${made.headers.location}/download/1`, navigation)
  expect(file.headers['content-disposition']).toMatch(/^attachment;/)
  expect(file.headers['x-content-type-options']).toBe('nosniff')
})

test('V3.2.2 text from the URL: shown escaped', async ({ enter, visitor, newcomer }) => {
  const client = await enter(newcomer)
  const evil = encodeURIComponent('<b id=evil>x</b>')
  const shown = 'value="&lt;b id=evil&gt;x&lt;/b&gt;"'
  for (const [who, address, wanted, isShown] of [
    [client, `/dashboard/documents?text=${evil}`, 200, true],
    [client, `/dashboard/users?text=${evil}`, 200, true],
    [client, `/verify/document?code=${evil}`, 422, true],
    [client, `/${evil}`, 404, false],
    [client, `/dashboard/${evil}`, 404, false],
    [visitor(), `/login?returnUrl=${evil}`, 200, false],
  ] as const) {
    const { status, text } = await who.get(address)
    expect([address, status, text.includes(shown)]).toEqual([address, wanted, isShown])
    expect([address, text.includes('<b id=evil')]).toEqual([address, false])
  }
  const { status, text } = await visitor().post('/login', { email: '<b id=evil>', password: 'x' })
  expect(status).toBe(422)
  expect(text).toContain('&lt;b id=evil')
  expect(text).not.toContain('<b id=evil')
})

test('V3.3.1 cookies: all are Secure, and all but two have the __Host- prefix', async ({
  visitor,
  newcomer,
}) => {
  const cookies = await cookiesOfAStay(visitor(), newcomer)
  const names = new Set(cookies.map(({ name }) => name))
  expect([...names].toSorted()).toEqual([...PREFIXED, ...READABLE])
  for (const { attributes, line } of cookies) expect(attributes, line).toContain('Secure')
})

test('V3.3.2 cookies: SameSite is Lax for credentials and Strict for those that scripts read', async ({
  visitor,
  newcomer,
}) => {
  for (const { name, attributes, line } of await cookiesOfAStay(visitor(), newcomer)) {
    const sites = attributes.filter((one) => /^samesite/i.test(one))
    expect(sites, line).toEqual([READABLE.includes(name) ? 'SameSite=Strict' : 'SameSite=Lax'])
  }
})

test('V3.3.3 cookies: limited to this host', async ({ visitor, newcomer }) => {
  for (const { attributes, line } of await cookiesOfAStay(visitor(), newcomer)) {
    expect(
      attributes.some((one) => /^domain/i.test(one)),
      line,
    ).toBe(false)
    expect(attributes, line).toContain('Path=/')
  }
})

test('V3.3.4 tokens: appear in no script, body or URL', async ({ enter, visitor, newcomer }) => {
  for (const { name, attributes, line } of await cookiesOfAStay(visitor(), newcomer))
    expect(attributes.includes('HttpOnly'), line).toBe(!READABLE.includes(name))
  const client = await enter(newcomer)
  const names = ['__Host-session', '__Host-refresh_token', '__Host-browser']
  const values = names.map((name) => client.cookies.get(name) ?? '')
  expect(values.map(({ length }) => length)).toEqual([43, 43, 36])
  for (const [what, { text, headers }] of await tour(client, visitor()))
    for (const value of values)
      expect([what, text.includes(value), headers.location?.includes(value)]).toEqual([
        what,
        false,
        headers.location === undefined ? undefined : false,
      ])
})

test('V3.3.5 cookies: none exceeds 4096 bytes', async ({ visitor, newcomer }) => {
  for (const { line } of await cookiesOfAStay(visitor(), newcomer))
    expect(line.length).toBeLessThan(4096)
})

test('V3.4.1 HSTS: on every answer, for one year', async ({ enter, visitor, newcomer }) => {
  const statuses = new Set<number>()
  for (const [what, { status, headers }] of await tour(await enter(newcomer), visitor())) {
    const [, age] =
      /^max-age=(\d+); includeSubDomains$/.exec(headers['strict-transport-security'] ?? '') ?? []
    expect([what, Number(age) >= 31_536_000]).toEqual([what, true])
    statuses.add(status)
  }
  expect([...statuses].toSorted()).toEqual([200, 202, 302, 303, 401, 403, 404, 405, 421, 422])
})

test('V3.4.2 CORS: no other origin may read an answer', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const Origin of ['https://evil.example', 'null', 'https://rubrica.test.evil.example'])
    for (const [path, readAs] of [
      ['/', 200],
      ['/dashboard', 200],
      ['/api/v1/auth/sessions', 200],
      ['/api/v1/auth/login', 405],
      ['/api/v1/openapi.json', 200],
    ] as const)
      for (const [method, wanted] of [
        ['GET', readAs],
        ['OPTIONS', 405],
        ['POST', 403],
      ] as const) {
        const headers = { Origin, 'Access-Control-Request-Method': 'POST' }
        const answer = await client.raw(path, { method, headers })
        const granted = Object.keys(answer.headers).filter((name) => /^access-control/.test(name))
        expect([path, method, answer.status, granted]).toEqual([path, method, wanted, []])
      }
})

test('V3.4.3 CSP: allows only what each answer needs, with a fresh nonce for each page', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const nonces = new Set<string>()
  const withScripts = new Set<string>()
  let pages = 0
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    const policy = String(answer.headers['content-security-policy'])
    expect([what, policy.startsWith("default-src 'none'")]).toEqual([what, true])
    expect([what, /script-src[^;]*(?:unsafe|https?:|\*|data:)/.test(policy)]).toEqual([what, false])
    if (!isPage(answer)) continue
    const nonce = /script-src 'nonce-([^']{24,})' 'strict-dynamic'/.exec(policy)?.[1] ?? ''
    expect([what, nonce.length]).toEqual([what, 24])
    expect(policy).toContain("base-uri 'none'")
    expect(policy).toContain("form-action 'self'")
    const tags = [...answer.text.matchAll(/<(?:script|style)\b[^>]*>/g)].map(([tag]) => tag)
    for (const tag of tags)
      expect([what, tag]).toEqual([what, expect.stringContaining(`nonce="${nonce}"`)])
    if (tags.some((tag) => tag.startsWith('<script'))) withScripts.add(what)
    nonces.add(nonce)
    pages += 1
  }
  expect([nonces.size, pages]).toEqual([65, 65])
  expect(withScripts).toContain('GET /dashboard by a person')
})

const HEADERS = [
  ['V3.4.4', 'x-content-type-options', /^nosniff$/],
  ['V3.4.5', 'referrer-policy', /^(?:same-origin|strict-origin-when-cross-origin)$/],
  ['V3.4.6', 'content-security-policy', /frame-ancestors 'none'/],
] as const

for (const [id, header, wanted] of HEADERS)
  test(`${id} every answer has ${header}`, async ({ enter, visitor, newcomer }) => {
    for (const [what, { headers }] of await tour(await enter(newcomer), visitor()))
      expect([what, headers[header]]).toEqual([what, expect.stringMatching(wanted)])
  })

test('V3.4.8 Cross-Origin-Opener-Policy: same-origin on every page', async ({
  enter,
  visitor,
  newcomer,
}) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor()))
    if (isPage(answer))
      expect([what, answer.headers['cross-origin-opener-policy']]).toEqual([what, 'same-origin'])
})

/** Routes that work without a session: a page opened before sign-in stays valid after it. */
const isForStrangers = (route: string) =>
  /^\/(?:login|logout|theme|mfa|activate|password-strength|verify\/document|sign$)/.test(route)

/**
 * These redirect instead of refusing: to the page of a signed-in user, or back to the form, which says that nothing
 * changed.
 */
const REDIRECTING: Readonly<Record<string, readonly [status: number, to: string]>> = {
  '/login': [303, '/dashboard'],
  '/mfa': [303, '/dashboard'],
  '/logout': [303, '/login'],
  '/theme': [303, '/'],
  '/activate/installation': [303, '/login'],
  '/setup-mfa/app': [302, '/setup-mfa?returnUrl=%2Fdashboard'],
  '/setup-mfa/backup-codes': [303, '/dashboard'],
  '/step-up/00000000-0000-4000-8000-000000000000': [303, '/dashboard'],
}

/** These ask for the link of an external signer first, which `guests.http.spec.ts` has. */
const BEHIND_A_LINK = /^\/sign\/(?:documents|batch|reject)/

function refusalOf(route: string): readonly [status: number, to: string | undefined] {
  if (/^\/sign\/(?:documents\/[^/]+\/(?:prepare|complete)|reject\/efirma)$/.test(route))
    return [410, undefined]
  if (BEHIND_A_LINK.test(route)) return [303, '/sign']
  return REDIRECTING[route] ?? [403, undefined]
}

/** A form without a valid token; multipart if the form has a file. */
function forge(client: Client, route: string, csrf: string | undefined) {
  const fields = [
    ...(csrf === undefined ? [] : [{ name: 'csrf', content: csrf }]),
    { name: 'theme', content: 'dark' },
  ]
  const file = { name: 'file', fileName: 'a.pdf', content: '%PDF-1.7' }
  const brings =
    /\/(?:verify\/document(?:\/(?:report\.\w+|signed\.pdf))?|documents\/new|replace|capacity|without-scripts|authorities\/new)$/.test(
      route,
    )
  const { type, body } = brings
    ? multipart([...fields, file])
    : {
        type: 'application/x-www-form-urlencoded',
        body: new URLSearchParams(fields.map(({ name, content }) => [name, content])).toString(),
      }
  const headers = { Origin: client.origin, 'Content-Type': type }
  return client.raw(route, { method: 'POST', headers, body })
}

test('V3.5.1 CSRF: every route that changes something requires the token of the session', async ({
  enter,
  visitor,
  newcomer,
  person,
  rows,
}) => {
  const stranger = visitor()
  const theirs = await stranger.token()
  const early = visitor()
  const before = await early.token()
  await early.post('/login', newcomer)
  const client = await enter(person('administrador'))
  for (const [name, value] of early.cookies)
    if (name === '__Host-browser') client.cookies.set(name, value)
  const last = () => rows.all<{ n: number }>('select max(seq) as n from audit_events')[0]?.n
  const written = last()
  const routes = mutatingRoutes()
  const through: unknown[] = []
  for (const route of routes)
    for (const csrf of [undefined, '', 'x', theirs, ...(isForStrangers(route) ? [] : [before])]) {
      const { status, headers } = await forge(client, route, csrf)
      const [wanted, to] = refusalOf(route)
      if (status !== wanted || headers.location !== to)
        through.push([route, csrf, status, headers.location])
    }
  expect(through).toEqual([])
  expect(await isIn(client)).toBe(true)
  expect(client.cookies.has('__Host-theme')).toBe(false)
  expect(last(), 'and nothing happened').toBe(written)
})

test('V3.5.2 CSRF: calls refuse content types that a cross-site form can send', async ({
  enter,
  newcomer,
}) => {
  const client = await enter(newcomer)
  await client.get('/dashboard')
  const body = '{}'
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'Application/JSONX',
    '',
  ])
    for (const path of ['logout', 'sessions/terminate-all', 'mfa/totp/enable', 'login']) {
      const headers = {
        Origin: client.origin,
        'X-CSRFToken': client.cookies.get('csrftoken'),
        ...(type && { 'Content-Type': type }),
      }
      const { status } = await client.raw(`/api/v1/auth/${path}`, { method: 'POST', headers, body })
      expect([type, path, status]).toEqual([type, path, 415])
    }
  const headers = { Origin: client.origin, 'Content-Type': 'application/json' }
  const bare = await client.raw('/api/v1/auth/logout', { method: 'POST', headers, body })
  expect(bare.status, 'without the token').toBe(403)
  expect(await isIn(client)).toBe(true)
})

test('V3.5.3 GET: changes nothing', async ({ enter, newcomer, rows }) => {
  const client = await enter(newcomer)
  // Pages that the person may not open are refused, and a refusal is recorded.
  const last = () =>
    rows.all<{ n: number }>(
      `select max(seq) as n from audit_events where action <> 'access.refused'`,
    )[0]?.n
  const written = last()
  for (const route of mutatingRoutes())
    for (const method of ['GET', 'HEAD']) {
      const { status } = await client.raw(`${route}?intent=suspend&theme=dark`, { method })
      expect([route, method, status < 500]).toEqual([route, method, true])
    }
  for (const path of ['logout', 'login', 'refresh', 'sessions/terminate-all', 'mfa/totp/disable'])
    expect((await client.get(`/api/v1/auth/${path}`)).status).toBe(405)
  const left = await client.get('/logout')
  expect([left.status, left.headers.location]).toEqual([302, '/dashboard'])
  expect(await isIn(client)).toBe(true)
  expect(last()).toBe(written)
})

const scripts = () =>
  readdirSync('build/client/assets')
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(path.join('build/client/assets', name), 'utf8')] as const)

test('V3.5.5 postMessage: no script listens for it', () => {
  expect(scripts().length).toBeGreaterThan(5)
  for (const [name, source] of scripts())
    expect([name, /addEventListener\(\s*["'`]message["'`]/.test(source)]).toEqual([name, false])
})

test('V3.5.6 JSONP: a callback parameter has no effect', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const name of ['callback', 'jsonp', 'cb']) {
    const { status, text, headers } = await client.get(`/api/v1/auth/sessions?${name}=evil`)
    expect([status, JSON.parse(text).code]).toEqual([422, 'invalid-fields'])
    expect(headers['content-type']).toBe('application/problem+json; charset=utf-8')
  }
})

test('V3.5.7 script files: contain no personal data', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  const page = await client.get('/dashboard/profile')
  expect(page.text).toContain('Ángela')
  for (const [name, source] of scripts())
    expect([name, source.includes(newcomer.email) || source.includes('Ángela')]).toEqual([
      name,
      false,
    ])
})

test('V3.5.8 Cross-Origin-Resource-Policy: keeps other sites from embedding pages of a session', async ({
  enter,
  newcomer,
  visitor,
}) => {
  for (const [what, { headers }] of await tour(await enter(newcomer), visitor()))
    expect([what, headers['cross-origin-resource-policy']]).toEqual([what, 'same-origin'])
})

test('V3.6.1 pages: load resources from this site only', async ({ enter, visitor, newcomer }) => {
  const seen = new Set<string>()
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    if (!isPage(answer)) continue
    const found = answer.text.matchAll(
      /<(?:script|link|img|iframe|source|object)[^>]*? (?:src|href|data)="([^"]*)"/g,
    )
    for (const [, url = ''] of found) {
      expect([what, url]).toEqual([what, expect.stringMatching(/^(?:\/(?!\/)|data:)/)])
      seen.add(url)
    }
  }
  expect(seen).toContain('/favicon.svg')
  expect([...seen].filter((url) => /^\/assets\/dashboard-[\w-]+\.css$/.test(url))).toHaveLength(1)
})

test('V3.7.1 pages: use no plug-in', async ({ enter, visitor, newcomer }) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor()))
    if (isPage(answer))
      expect([what, /<(?:object|embed|applet)\b/i.test(answer.text)]).toEqual([what, false])
})

test('V3.7.3 pages: link to no other site', async ({ enter, visitor, newcomer }) => {
  const seen = new Set<string>()
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    if (!isPage(answer)) continue
    const urls = [...answer.text.matchAll(/<a [^>]*?href="([^"]*)"/g)].map(([, url = '']) => url)
    const foreign = urls.filter((url) => !/^(?:\/(?!\/)|#)/.test(url))
    expect([what, foreign]).toEqual([what, []])
    for (const url of urls) seen.add(url)
  }
  for (const url of ['#contenido', '/login', '/dashboard/documents']) expect(seen).toContain(url)
})
