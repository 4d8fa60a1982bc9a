import { expect } from '#tests/e2e/support/fixtures.ts'
import { clientOf, signedInClient } from '#tests/e2e/support/http.ts'
import { test } from '#tests/e2e/support/newcomers.ts'

/* Public pages are rendered once for all visitors: values of one answer must not leak into another. */

/** Each with the tokens in it: a page without a form that needs one has none. */
const STRANGERS = [
  ['/', 0],
  ['/login', 1],
  ['/verify/document', 1],
] as const

/** The script that keeps a page of a session out of the back-forward cache. */
const OF_A_SESSION = "addEventListener('pageshow'"

const TOKEN = /name="csrf" value="([^"]+)"/g

for (const [path, count] of STRANGERS)
  test(`cached ${path}: answers differ only in nonce and tokens`, async ({ demo }) => {
    const seen = new Set<string>()
    const texts = new Set<string>()
    for (const visitor of ['first', 'second', 'third']) {
      const { status, headers, text } = await clientOf(demo.origin).get(path)
      expect(status, visitor).toBe(200)
      const nonce = /'nonce-([^']+)'/.exec(String(headers['content-security-policy']))?.[1] ?? ''
      const tokens = new Set(Array.from(text.matchAll(TOKEN), ([, token]) => token ?? ''))
      expect(text).toContain(`<style nonce="${nonce}">`)
      expect(tokens.size).toBe(count)
      for (const own of [nonce, ...tokens]) {
        expect(seen.has(own)).toBe(false)
        seen.add(own)
      }
      const [token = 'no token'] = tokens
      texts.add(text.replaceAll(nonce, 'NONCE').replaceAll(token, 'TOKEN'))
    }
    expect(texts.size).toBe(1)
  })

test('cached page: its form is accepted', async ({ demo, person }) => {
  await clientOf(demo.origin).get('/login')
  const client = clientOf(demo.origin)
  const { email, password } = person('CLERK')
  await client.get('/login')
  expect((await client.post('/login', { email, password })).status).toBe(303)
})

test('cached page: compressed and plain answers have the same content', async ({ demo }) => {
  const get = (encoding: string) =>
    fetch(`${demo.origin}/verify/document`, { headers: { 'Accept-Encoding': encoding } })
  const plain = async (answer: Response) =>
    (await answer.text()).replaceAll(/nonce="[^"]+"|csrf="[^"]+"|value="[^"]+"/g, '')
  await get('gzip')
  const [zipped, whole] = [await get('gzip'), await get('identity')]
  expect(zipped.headers.get('content-encoding')).toBe('gzip')
  expect(whole.headers.get('content-encoding')).toBeNull()
  expect(await plain(zipped)).toBe(await plain(whole))
})

test('cached page: a page for a signed-in user is never served to another visitor', async ({
  demo,
  person,
}) => {
  const client = await signedInClient(demo.origin, person('CLERK'))
  for (const path of ['/', '/verify/document', '/']) {
    const own = await client.get(path)
    expect(own.text).toContain(OF_A_SESSION)
    const strangers = await clientOf(demo.origin).get(path)
    expect(strangers.status).toBe(200)
    expect(strangers.text).not.toContain(OF_A_SESSION)
  }
})

test('cached page: the dark theme is served only to visitors who chose it', async ({ demo }) => {
  const dark = clientOf(demo.origin)
  dark.cookies.set('__Host-theme', 'dark')
  for (const _ of [1, 2]) {
    expect((await dark.get('/login')).text).toContain('data-mantine-color-scheme="dark"')
    expect((await clientOf(demo.origin).get('/login')).text).toContain('color-scheme="auto"')
  }
})

test('cached page: a change shows on the next request', async ({ demo, rows, signedDeed }) => {
  const { id } = await signedDeed()
  const stranger = clientOf(demo.origin)
  for (const [kind, shown] of [
    ['power-of-attorney', 'Poder'],
    ['certified-copy', 'Copia certificada'],
  ] as const) {
    rows.change('update documents set kind = ? where id = ?', kind, id)
    // Verdicts about a document are cached for some seconds.
    await expect(async () =>
      expect((await stranger.get(`/verify/${id}`)).text).toContain(`<dd>${shown}</dd>`),
    ).toPass()
    expect((await stranger.get(`/verify/${id}`)).text).toContain(`<dd>${shown}</dd>`)
  }
})
