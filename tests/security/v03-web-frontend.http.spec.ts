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
  return answers.flatMap(linesOf).map((line) => {
    const [pair = '', ...attributes] = line.split('; ')
    const [name = '', value = ''] = pair.split(/=(.*)/s, 2)
    return { line, name, value, attributes }
  })
}

const READABLE = ['csrftoken', 'refresh_token']

test('V3.2.1 data opened as a page stays data', async ({ enter, newcomer }) => {
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

test('V3.2.2 text of an address is shown as text', async ({ enter, visitor, newcomer }) => {
  const client = await enter(newcomer)
  const evil = encodeURIComponent('<b id=evil>x</b>')
  for (const address of [
    `/dashboard/documents?text=${evil}`,
    `/dashboard/users?text=${evil}`,
    `/login?returnUrl=${evil}`,
    `/verify/document?code=${evil}`,
    `/${evil}`,
    `/dashboard/${evil}`,
  ])
    expect([address, (await client.get(address)).text.includes('<b id=evil')]).toEqual([
      address,
      false,
    ])
  const { text } = await visitor().post('/login', { email: '<b id=evil>', password: 'x' })
  expect(text).toContain('&lt;b id=evil')
  expect(text).not.toContain('<b id=evil')
})

test('V3.3.1 cookies are for https, and all but two have the prefix', async ({
  visitor,
  newcomer,
}) => {
  const cookies = await cookiesOfAStay(visitor(), newcomer)
  expect(cookies.length).toBeGreaterThan(8)
  for (const { name, attributes, line } of cookies) {
    expect(attributes, line).toContain('Secure')
    expect([line, name.startsWith('__Host-') || READABLE.includes(name)]).toEqual([line, true])
  }
})

test('V3.3.2 cookies that open something are Lax, those for scripts Strict', async ({
  visitor,
  newcomer,
}) => {
  for (const { name, attributes, line } of await cookiesOfAStay(visitor(), newcomer)) {
    const wanted = READABLE.includes(name)
      ? ['SameSite=Strict']
      : ['SameSite=Lax', 'SameSite=Strict']
    expect(wanted, line).toContain(attributes.find((one) => one.startsWith('SameSite=')))
  }
})

test('V3.3.3 cookies are for this host alone', async ({ visitor, newcomer }) => {
  for (const { attributes, line } of await cookiesOfAStay(visitor(), newcomer)) {
    expect(
      attributes.some((one) => /^domain/i.test(one)),
      line,
    ).toBe(false)
    expect(attributes, line).toContain('Path=/')
  }
})

test('V3.3.4 no script, body or address has a token', async ({ enter, visitor, newcomer }) => {
  for (const { name, attributes, line } of await cookiesOfAStay(visitor(), newcomer))
    expect(attributes.includes('HttpOnly'), line).toBe(!READABLE.includes(name))
  const client = await enter(newcomer)
  const secrets = [...client.cookies].filter(([name]) => /session|refresh|browser/.test(name))
  const values = secrets.map(([, value]) => value).filter((value) => value.length > 20)
  expect(values.length).toBeGreaterThanOrEqual(3)
  for (const [what, { text, headers }] of await tour(client, visitor()))
    for (const value of values)
      expect([what, text.includes(value), headers.location?.includes(value)]).toEqual([
        what,
        false,
        headers.location === undefined ? undefined : false,
      ])
})

test('V3.3.5 no cookie is too long for a browser', async ({ visitor, newcomer }) => {
  for (const { line } of await cookiesOfAStay(visitor(), newcomer))
    expect(line.length).toBeLessThan(4096)
})

test('V3.4.1 every answer keeps browsers on https for a year', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const statuses = new Set<number>()
  for (const [what, { status, headers }] of await tour(await enter(newcomer), visitor())) {
    const [, age] =
      /^max-age=(\d+); includeSubDomains$/.exec(headers['strict-transport-security'] ?? '') ?? []
    expect([what, Number(age) >= 31_536_000]).toEqual([what, true])
    statuses.add(status)
  }
  for (const status of [200, 302, 401, 403, 404, 405, 421, 422])
    expect([...statuses]).toContain(status)
})

test('V3.4.2 no other site may read an answer', async ({ enter, visitor, newcomer }) => {
  const client = await enter(newcomer)
  for (const Origin of ['https://evil.example', 'null', 'https://rubrica.test.evil.example'])
    for (const path of [
      '/',
      '/dashboard',
      '/api/v1/auth/sessions',
      '/api/v1/auth/login',
      '/api/v1/openapi.json',
    ])
      for (const method of ['GET', 'OPTIONS', 'POST']) {
        const headers = { Origin, 'Access-Control-Request-Method': 'POST' }
        const answer = await client.raw(path, { method, headers })
        const granted = Object.keys(answer.headers).filter((name) => /^access-control/.test(name))
        expect([path, method, granted]).toEqual([path, method, []])
      }
  await visitor().get('/')
})

test('V3.4.3 the policy allows only what this answer names', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const nonces = new Set<string>()
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
    for (const [, own] of answer.text.matchAll(/<script[^>]*?(?: nonce="([^"]*)")?[^>]*>/g))
      if (own !== undefined) expect(own).toBe(nonce)
    for (const [tag] of answer.text.matchAll(/<script[^>]*>/g)) expect(tag).toContain('nonce="')
    nonces.add(nonce)
    pages += 1
  }
  expect(nonces.size).toBe(pages)
  expect(pages).toBeGreaterThan(20)
})

const HEADERS = [
  ['V3.4.4', 'x-content-type-options', /^nosniff$/],
  ['V3.4.5', 'referrer-policy', /^(?:same-origin|strict-origin-when-cross-origin)$/],
  ['V3.4.6', 'content-security-policy', /frame-ancestors 'none'/],
] as const

for (const [id, header, wanted] of HEADERS)
  test(`${id} every answer has its ${header}`, async ({ enter, visitor, newcomer }) => {
    for (const [what, { headers }] of await tour(await enter(newcomer), visitor()))
      expect([what, headers[header]]).toEqual([what, expect.stringMatching(wanted)])
  })

test('V3.4.8 no window of another site holds on to ours', async ({ enter, visitor, newcomer }) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor()))
    if (isPage(answer))
      expect([what, answer.headers['cross-origin-opener-policy']]).toEqual([what, 'same-origin'])
})

/** What one may do without a session: a page of it that was opened before signing in holds after it, too. */
const isForStrangers = (route: string) =>
  /^\/(?:login|logout|theme|mfa|activate|password-strength|verify\/document|sign$)/.test(route)

/**
 * These lead on instead of refusing: to where whoever is signed in belongs, because there is nothing to be
 * done there, or back to the page, which says that nothing was done.
 */
const LEADING_ON =
  /^\/(?:login|mfa|logout|theme|activate\/installation|setup-mfa\/app|setup-mfa\/backup-codes|step-up\/[0-9a-f-]+)$/

/** These ask for the link of an external signer first, of which the stories about links have one. */
const BEHIND_A_LINK = /^\/sign\/(?:documents|batch|reject)/

const refusalsOf = (route: string) => {
  if (BEHIND_A_LINK.test(route)) return [303, 410]
  return LEADING_ON.test(route) ? [302, 303] : [403]
}

/** A form without the right token; where a form brings a file, as such a form. */
function forge(client: Client, route: string, csrf: string | undefined) {
  const fields = csrf === undefined ? [] : [{ name: 'csrf', content: csrf }]
  const file = { name: 'file', fileName: 'a.pdf', content: '%PDF-1.7' }
  const brings =
    /\/(?:verify\/document(?:\/(?:report\.\w+|signed\.pdf))?|documents\/new|without-scripts|authorities\/new)$/.test(
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

test('V3.5.1 every route that changes something wants the token of this session', async ({
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
  expect(routes.length).toBeGreaterThan(18)
  const through: unknown[] = []
  for (const route of routes)
    for (const csrf of [undefined, '', 'x', theirs, ...(isForStrangers(route) ? [] : [before])]) {
      const { status } = await forge(client, route, csrf)
      if (!refusalsOf(route).includes(status)) through.push([route, csrf, status])
    }
  expect(through).toEqual([])
  expect(await isIn(client)).toBe(true)
  expect(last(), 'and nothing happened').toBe(written)
})

test('V3.5.2 calls take nothing that a form of another site could send', async ({
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

test('V3.5.3 reading changes nothing', async ({ enter, newcomer, rows }) => {
  const client = await enter(newcomer)
  const last = () => rows.all<{ n: number }>('select max(seq) as n from audit_events')[0]?.n
  const written = last()
  for (const route of mutatingRoutes())
    for (const method of ['GET', 'HEAD']) {
      const { status } = await client.raw(`${route}?intent=suspend&theme=dark`, { method })
      expect([route, method, status < 500]).toEqual([route, method, true])
    }
  for (const path of ['logout', 'login', 'refresh', 'sessions/terminate-all', 'mfa/totp/disable'])
    expect((await client.get(`/api/v1/auth/${path}`)).status).toBe(405)
  expect((await client.get('/logout')).status).toBeGreaterThan(300)
  expect(await isIn(client)).toBe(true)
  expect(last()).toBe(written)
})

const scripts = () =>
  readdirSync('build/client/assets')
    .filter((name) => name.endsWith('.js'))
    .map((name) => [name, readFileSync(path.join('build/client/assets', name), 'utf8')] as const)

test('V3.5.5 no script listens to messages of other windows', () => {
  expect(scripts().length).toBeGreaterThan(5)
  for (const [name, source] of scripts())
    expect([name, /addEventListener\(\s*["'`]message["'`]/.test(source)]).toEqual([name, false])
})

test('V3.5.6 no answer becomes a script by a callback', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  for (const name of ['callback', 'jsonp', 'cb']) {
    const { text, headers } = await client.get(`/api/v1/auth/sessions?${name}=evil`)
    expect(text.startsWith('{')).toBe(true)
    expect(headers['content-type']).toMatch(/^application\/(?:problem\+)?json/)
  }
})

test('V3.5.7 no script holds data of a person', async ({ enter, newcomer }) => {
  const client = await enter(newcomer)
  const page = await client.get('/dashboard/profile')
  expect(page.text).toContain('Ángela')
  for (const [name, source] of scripts())
    expect([name, source.includes(newcomer.email) || source.includes('Ángela')]).toEqual([
      name,
      false,
    ])
})

test('V3.5.8 no other site shows what is only for whoever is signed in', async ({
  enter,
  newcomer,
  visitor,
}) => {
  for (const [what, { headers }] of await tour(await enter(newcomer), visitor()))
    expect([what, headers['cross-origin-resource-policy']]).toEqual([what, 'same-origin'])
})

test('V3.6.1 everything on a page is ours', async ({ enter, visitor, newcomer }) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    if (!isPage(answer)) continue
    for (const [, url = ''] of answer.text.matchAll(
      /<(?:script|link|img|iframe|source|object)[^>]*? (?:src|href|data)="([^"]*)"/g,
    ))
      expect([what, url]).toEqual([what, expect.stringMatching(/^(?:\/(?!\/)|data:)/)])
  }
})

test('V3.7.1 pages need no plug-in', async ({ enter, visitor, newcomer }) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor()))
    if (isPage(answer))
      expect([what, /<(?:object|embed|applet)\b/i.test(answer.text)]).toEqual([what, false])
})

test('V3.7.3 no link leads to another site', async ({ enter, visitor, newcomer }) => {
  for (const [what, answer] of await tour(await enter(newcomer), visitor())) {
    if (!isPage(answer)) continue
    const foreign = [...answer.text.matchAll(/<a [^>]*?href="([^"]*)"/g)].filter(
      ([, url = '']) => !/^(?:\/(?!\/)|#)/.test(url),
    )
    expect([what, foreign.map(([, url]) => url)]).toEqual([what, []])
  }
})
