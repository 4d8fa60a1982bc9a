import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { aPdf, aTitle } from '#tests/e2e/support/deeds.ts'
import { type Answered, type Client, call, expect, test } from './support/suite.ts'

const PAGES = ['', '/documents', '/users', '/audit', '/profile', '/signing', '/settings']
async function pagesOf(client: Client) {
  const pages = await Promise.all(PAGES.map((page) => client.get(`/dashboard${page}`)))
  expect(pages.map(({ status }) => status)).toEqual(PAGES.map(() => 200))
  return pages
}

const upload = (client: Client, fileName: string, title = aTitle()) =>
  client.postParts('/dashboard/documents/new', [
    { name: 'title', content: title },
    { name: 'kind', content: 'act' },
    { name: 'file', fileName, content: aPdf() },
  ])

test('V1.1.1 double encoding: input is decoded once', async ({ visitor, enter, newcomer }) => {
  for (const returnUrl of ['%252F%252Fevil.example', '%25252F%25252Fevil.example', '%255Cevil']) {
    const { email, password } = newcomer
    const { headers } = await visitor().post(`/login?returnUrl=${returnUrl}`, { email, password })
    expect(headers.location).toBe('/dashboard')
  }
  const clerk = await enter(newcomer)
  const { headers } = await upload(clerk, '%252e%252e%252fescritura.pdf')
  expect(headers.location).toMatch(/^\/dashboard\/documents\/[0-9a-f-]{36}$/)
  const file = await clerk.get(`${headers.location}/download/1`)
  expect(file.headers['content-disposition']).toContain("filename*=UTF-8''%25252e%25252e%25252f")
})

test('V1.2.1 user name with HTML: escaped on every page', async ({ enter, newcomer, rows }) => {
  const evil = '"><img src=x onerror=alert(1)>'
  rows.change('update users set first_name = ? where id = ?', evil, newcomer.id)
  const clerk = await enter(newcomer)
  const made = await upload(clerk, 'a.pdf', `${evil} ${randomUUID()}`)
  const pages = [...(await pagesOf(clerk)), await clerk.get(made.headers.location ?? '')]
  expect(pages).toHaveLength(PAGES.length + 1)
  for (const { status, text } of pages) {
    expect(status).toBe(200)
    expect(text).toContain('&quot;&gt;&lt;img src=x onerror=alert(1)&gt;')
    expect(text).not.toContain('<img src=x')
  }
})

test('V1.2.2 links: every URL on a page points to this site', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const clerk = await enter(newcomer)
  const evil = encodeURIComponent('javascript:alert(1)')
  const pages = [
    ...(await pagesOf(clerk)),
    await visitor().get(`/login?returnUrl=${evil}`),
    await clerk.get(`/step-up?returnUrl=${evil}`),
    await clerk.get(`/change-password?returnUrl=${evil}`),
    await clerk.get(`/dashboard/documents?text=${evil}`),
  ]
  for (const { status, text } of pages) {
    expect(status).toBe(200)
    const found = [...text.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g)]
    const addresses = found.map(([, address = '']) => address)
    expect(addresses).toContain('/favicon.svg')
    for (const address of addresses) expect(address).toMatch(/^(?:\/(?!\/)|#|\?|$)/)
  }
})

test('V1.2.3 inline data: cannot close its script element', async ({ enter, newcomer, rows }) => {
  const evil = '</script><script>alert(1)</script>'
  rows.change('update users set first_name = ? where id = ?', evil, newcomer.id)
  const clerk = await enter(newcomer)
  await upload(clerk, 'a.pdf', `${evil}${randomUUID()}`)
  const pages = await pagesOf(clerk)
  for (const [at, { text }] of pages.entries()) {
    expect(text).not.toContain('<script>alert(1)')
    expect([PAGES[at], text.includes('\\u003c/script\\u003e')]).toEqual([PAGES[at], true])
  }
})

/** Each would wait, or find everything, if it became part of a query. */
const INJECTED = ["1';select pg_sleep(5)--", "' or ''='", '1) union select 1,2,3--']

test('V1.2.4 SQL injection: input never becomes part of a query', async ({
  visitor,
  enter,
  newcomer,
}) => {
  const quickly = async (sent: Promise<Answered>) => {
    const began = Date.now()
    const answer = await sent
    expect(Date.now() - began).toBeLessThan(4_000)
    return answer
  }
  for (const [email, wanted] of [
    ["' OR 1=1--", 422],
    ["x'or'1'or'1@b.mx", 401],
    ["a'||pg_sleep(5)||'@b.mx", 422],
    [newcomer.email, 401],
  ] as const) {
    const login = { email, password: "' OR '1'='1" }
    const { status } = await quickly(call(visitor(), 'POST', 'login', login))
    expect([email, status]).toEqual([email, wanted])
  }
  const clerk = await enter(newcomer)
  const title = aTitle()
  await upload(clerk, 'a.pdf', title)
  const found = async (query: Record<string, string>) => {
    const { status, text } = await quickly(
      clerk.get(`/dashboard/documents?${new URLSearchParams(query)}`),
    )
    expect([query, status]).toEqual([query, 200])
    return text.includes(title)
  }
  expect(await found({ text: title.slice(0, -1) })).toBe(true)
  for (const text of INJECTED) expect([text, await found({ text })]).toEqual([text, false])
  // These have a few values only; any other is left out, and the newest documents are shown.
  for (const name of ['state', 'behind'])
    for (const value of INJECTED)
      expect([name, value, await found({ [name]: value })]).toEqual([name, value, true])
  const { status } = await quickly(
    clerk.get("/api/v1/auth/sessions?limit=1';select%20pg_sleep(5)--"),
  )
  expect(status).toBe(422)
})

test('V1.2.5 file name with shell syntax: runs no command', async ({ enter, newcomer }) => {
  const clerk = await enter(newcomer)
  const trace = path.join(tmpdir(), `trace-${randomUUID()}`)
  for (const name of [`$(touch ${trace}).pdf`, `\`touch ${trace}\`.pdf`, `a.pdf;touch ${trace}`]) {
    const { status } = await upload(clerk, name)
    expect([name, status]).toEqual([name, 303])
  }
  expect(existsSync(trace)).toBe(false)
})

test('V1.2.9 search: regular expression and LIKE characters match literally', async ({
  enter,
  newcomer,
}) => {
  const clerk = await enter(newcomer)
  const title = aTitle('Compra 100% (a.b)')
  await upload(clerk, 'a.pdf', title)
  const found = async (q: string) => {
    const { status, text } = await clerk.get(`/dashboard/documents?text=${encodeURIComponent(q)}`)
    expect([q, status]).toEqual([q, 200])
    return text.includes(title)
  }
  expect(await found(title)).toBe(true)
  expect(await found('100% (a.b)')).toBe(true)
  for (const q of ['(((((', '.*', 'C.mpra', 'Comp%a', '1_0', '%', '_', '[a-z]', '\\'])
    expect([q, await found(q)]).toEqual([q, false])
})

test('V1.3.2 CSP: no page allows eval', async ({ enter, visitor, newcomer }) => {
  const clerk = await enter(newcomer)
  for (const { headers } of [...(await pagesOf(clerk)), await visitor().get('/login')])
    expect(headers['content-security-policy']).toMatch(
      /script-src 'nonce-[^' ]{24}' 'strict-dynamic';(?!.*unsafe-eval)/,
    )
})

test('V1.3.11 email address with a line break: refused', async ({ visitor, enter, person }) => {
  const email = 'a@b.mx\r\nBcc: x@y.mx'
  const called = await call(visitor(), 'POST', 'login', { email, password: 'una contraseña larga' })
  expect(called.status).toBe(422)
  const administrator = await enter(person('administrador'))
  const fields = { firstName: 'Ana', lastName: 'Ruiz', email, rfc: 'XAXX010101000' }
  const { status } = await administrator.post('/dashboard/users/new', {
    ...fields,
    'role-CLERK': 'on',
  })
  expect(status).toBe(422)
})

test('V1.3.12 input validation: hostile input is checked in bounded time', async ({
  visitor,
  enter,
  newcomer,
}) => {
  const clerk = await enter(newcomer)
  for (const evil of [`${'a'.repeat(50_000)}!`, `${'a@'.repeat(25_000)}`, ' '.repeat(50_000)]) {
    const began = Date.now()
    const text = encodeURIComponent(evil.slice(0, 2_500))
    const answers = [
      await call(visitor(), 'POST', 'login', { email: evil, password: 'x' }),
      await call(clerk, 'PUT', `webauthn/credentials/${randomUUID()}`, { name: evil }),
      await call(clerk, 'POST', 'mfa/totp/verify-setup', { code: evil }),
      await clerk.get(`/dashboard/documents?text=${text}`),
      await visitor().post('/activate', { code: evil, newPassword: 'x', confirmPassword: 'x' }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 200, 422])
    expect(Date.now() - began).toBeLessThan(5_000)
  }
})

/** Addresses that a visitor of the server cannot reach, and that it must not reach for one. */
const INSIDE = [
  'https://169.254.169.254/latest/meta-data/',
  'https://[::ffff:169.254.169.254]/',
  'https://2852039166/',
  'https://10.0.0.5/',
  'https://0xa000005/',
  'https://172.16.0.1/',
  'https://192.168.1.1/',
  'https://100.64.0.1/',
  'https://[fd00::1]/',
  'https://[fe80::1]/',
  'https://0.0.0.0/',
  'https://[::]/',
]
const NO_SERVICE = [
  ...['file:///etc/passwd', 'ftp://a.example/', 'gopher://a.example/', 'javascript:alert(1)'],
  ...['http://sellos.example/', 'https://a:b@c.example/', '//a.example/', 'data:,x'],
]

test('V1.3.6 address fields: none takes an address inside, a foreign scheme or a password', async ({
  enter,
  person,
  rows,
}) => {
  const administrator = await enter(person('administrador'))
  const stored = () => JSON.stringify(rows.all('select * from service_providers order by id'))
  const before = stored()
  const empty = { policy: '', username: '', password: '' }
  for (const kind of ['timestamp', 'constancia'])
    for (const [addresses, wanted] of [
      [INSIDE, 409],
      [NO_SERVICE, 422],
    ] as const)
      for (const url of addresses) {
        const form = { kind, name: 'Prestador', url, ...empty }
        const { status } = await administrator.post('/dashboard/settings/providers/new', form)
        expect([kind, url, status]).toEqual([kind, url, wanted])
      }
  expect(stored()).toBe(before)
  const [known] = rows.all<{ sha256: string }>('select sha256 from authorities limit 1')
  for (const ocsp of NO_SERVICE.filter((url) => !url.startsWith('http:'))) {
    const path = `/dashboard/settings/authorities/${known?.sha256}`
    const form = { kind: 'accept', reason: 'Un motivo de prueba.', revocation: 'required', ocsp }
    expect([ocsp, (await administrator.post(path, form)).status]).toEqual([ocsp, 422])
  }
})

test('V1.5.2 cookies with serialized objects: treated as invalid text', async ({ visitor }) => {
  const objects = [
    '{"__proto__":{"isAdmin":true}}',
    '{"rce":"_$$ND_FUNC$$_function(){}()"}',
    'null',
  ]
  const values = objects.map((object) => Buffer.from(object).toString('base64url'))
  for (const value of [...values, '%00', 'a'.repeat(3_000), '["a"]'])
    for (const name of [
      '__Host-session',
      '__Host-refresh_token',
      '__Host-sign-in',
      '__Host-flash',
    ]) {
      const client = visitor()
      client.cookies.set(name, value)
      const answers = [await client.get('/dashboard'), await client.get('/api/v1/auth/sessions')]
      expect(answers.map(({ status }) => status)).toEqual([302, 401])
    }
})

test('V1.5.3 API and form: parse the same input alike', async ({ visitor, newcomer }) => {
  const { email, password } = newcomer
  const twice = `{"email":"nobody@b.mx","email":"${email}","password":"${password}"}`
  const bodies = [
    [twice, 400],
    [`\uFEFF${JSON.stringify({ email, password })}`, 400],
    [JSON.stringify({ email: `${email}\u0000`, password }), 400],
    [JSON.stringify({ email: '\ud800', password }), 400],
    ['{"email":', 400],
  ] as const
  for (const [body, wanted] of bodies) {
    const client = visitor()
    const { status } = await call(client, 'POST', 'login', body)
    expect([body.slice(0, 60), status]).toEqual([body.slice(0, 60), wanted])
    expect(client.cookies.has('__Host-session')).toBe(false)
  }
  const client = visitor()
  const csrf = await client.token()
  const form = new URLSearchParams({ csrf, email: 'nobody@b.mx', password })
  form.append('email', email)
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Origin: client.origin }
  const { status } = await client.raw('/login', { method: 'POST', headers, body: `${form}` })
  expect(status).toBe(422)
  expect(client.cookies.has('__Host-session')).toBe(false)
})
