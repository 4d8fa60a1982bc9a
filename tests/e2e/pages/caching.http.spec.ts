import { expect, test } from '#tests/e2e/support/fixtures.ts'
import {
  type Answered,
  clientOf,
  multipart,
  send,
  signedInClient,
} from '#tests/e2e/support/http.ts'
import { DASHBOARD_STOPS, PUBLIC_STOPS, stopsOf } from '#tests/e2e/support/site-map.ts'

const UNKNOWN = '/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1'

const directives = ({ headers }: Answered) =>
  (headers['cache-control'] ?? '').split(',').map((directive) => directive.trim())

/** Whether a cache that many people share may store the answer. @see RFC 9111, 3 */
const isSharable = (answer: Answered) =>
  !directives(answer).some((directive) => ['no-store', 'private'].includes(directive))

const cookiesIn = ({ headers }: Answered) =>
  (headers['set-cookie'] ?? []).map((line) => line.replace(/=.*/, ''))

const THEME = { theme: 'dark', returnUrl: '/' }
const chooseTheme = (origin: string, headers: Record<string, string>, csrf?: string) =>
  send(`${origin}/theme`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ ...(csrf !== undefined && { csrf }), ...THEME }).toString(),
  })

test('public pages that only inform: set no cookie, and no shared cache stores them', async ({
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed(person('titular'))
  const paths = [
    '/',
    `/verify/${deed.id}`,
    `/verify/${deed.id}/report.json`,
    `/verify/${deed.id}/report.pdf`,
    '/no-hay',
    '/dashboard',
    '/dashboard/documents',
    '/theme',
  ]
  for (const path of paths)
    for (const method of ['GET', 'HEAD']) {
      const answer = await clientOf(demo.origin).raw(path, { method })
      expect([path, cookiesIn(answer)]).toEqual([path, []])
      expect([path, isSharable(answer)]).toEqual([path, false])
      expect([path, answer.headers.vary?.split(', ')]).toEqual([
        path,
        expect.arrayContaining(['Cookie']),
      ])
    }
  const home = await clientOf(demo.origin).get('/')
  expect(home.headers['cache-control']).toBe('private, no-cache')
  expect(home.text).toContain('name="csrf" value=""')
})

test('public pages with a form: set the cookies that it needs, once', async ({ demo }) => {
  for (const path of ['/login', '/verify/document', '/activate', '/sign', UNKNOWN]) {
    const client = clientOf(demo.origin)
    const first = await client.get(path)
    expect([path, cookiesIn(first)]).toEqual([path, ['__Host-browser', 'csrftoken']])
    expect([path, directives(first)]).toEqual([path, ['no-store']])
    const second = await client.get(path)
    expect([path, cookiesIn(second), isSharable(second)]).toEqual([path, [], false])
  }
})

test('a browser that came by a public page has its form accepted', async ({ demo, person }) => {
  const client = clientOf(demo.origin)
  await client.get('/')
  const { email, password } = person('CLERK')
  const { status } = await client.post('/login', { email, password })
  expect(status).toBe(303)
  const code = clientOf(demo.origin)
  const csrf = await code.token(UNKNOWN)
  expect(csrf).not.toBe('')
  const { type, body } = multipart([
    { name: 'csrf', content: csrf },
    { name: 'file', fileName: 'a.pdf', content: 'no es un PDF' },
  ])
  const headers = { 'Content-Type': type, Origin: demo.origin }
  const sent = await code.raw('/verify/document', { method: 'POST', headers, body })
  expect([sent.status, sent.text.includes('no es un PDF')]).toEqual([422, true])
})

test('pages of a signed-in person: stored by no cache, public ones included', async ({
  demo,
  person,
  signedDeed,
}) => {
  const deed = await signedDeed(person('titular'))
  const stops = [...PUBLIC_STOPS, ...DASHBOARD_STOPS, ...stopsOf(deed)]
  for (const role of ['NOTARY', 'ADMIN'] as const) {
    const client = await signedInClient(demo.origin, person(role))
    for (const { path } of stops) {
      const page = await client.get(path)
      expect([role, path, directives(page)]).toEqual([role, path, ['no-store']])
      const routeData = await client.get(`${path === '/' ? '/_root' : path}.data`)
      expect([role, path, isSharable(routeData)]).toEqual([role, path, false])
    }
    const download = await client.get(`/dashboard/documents/${deed.id}/download/2`)
    expect([download.status, isSharable(download)]).toEqual([200, false])
  }
})

test('theme: a stranger chooses it on a page without cookies, from our own origin only', async ({
  demo,
}) => {
  const { origin } = demo
  for (const proof of [{ Origin: origin }, { 'Sec-Fetch-Site': 'same-origin' }]) {
    for (const csrf of [undefined, '']) {
      const chosen = await chooseTheme(origin, proof, csrf)
      expect([chosen.status, cookiesIn(chosen)]).toEqual([303, ['__Host-theme']])
    }
    const wrong = await chooseTheme(origin, proof, 'x')
    expect(cookiesIn(wrong)).toEqual(['__Host-flash'])
  }
  const unproven = await chooseTheme(origin, {})
  expect(cookiesIn(unproven)).toEqual(['__Host-flash'])
  for (const foreign of [
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: origin, 'Sec-Fetch-Site': 'cross-site' },
  ])
    expect([foreign, (await chooseTheme(origin, foreign)).status]).toEqual([foreign, 403])
})

test('theme: a person needs the token of the session, wherever the form comes from', async ({
  demo,
  person,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  const Cookie = [...client.cookies].map((pair) => pair.join('=')).join('; ')
  for (const csrf of [undefined, '', 'x']) {
    const forged = await chooseTheme(demo.origin, { Origin: demo.origin, Cookie }, csrf)
    expect([csrf, cookiesIn(forged)]).toEqual([csrf, ['__Host-flash']])
  }
})

test('other forms: the origin is no proof, without a session either', async ({ demo, person }) => {
  const { email, password } = person('CLERK')
  for (const path of ['/login', '/activate', '/sign', '/password-strength']) {
    const sent = await send(demo.origin + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded', Origin: demo.origin },
      body: new URLSearchParams({ csrf: '', email, password }).toString(),
    })
    expect([path, cookiesIn(sent).includes('__Host-session')]).toEqual([path, false])
    expect([path, sent.status]).toEqual([path, 403])
  }
  const { type, body } = multipart([{ name: 'file', fileName: 'a.pdf', content: 'x' }])
  const headers = { 'Content-Type': type, Origin: demo.origin }
  const file = await send(`${demo.origin}/verify/document`, { method: 'POST', headers, body })
  expect(file.status).toBe(403)
})
