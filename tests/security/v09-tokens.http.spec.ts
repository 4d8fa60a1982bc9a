import { copyOf, expect, isIn, test } from './support/suite.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('V9.1.1 self-contained tokens: not accepted', async ({ visitor, newcomer }) => {
  const claims = encode({
    sub: newcomer.id,
    userId: newcomer.id,
    roles: ['ADMIN'],
    exp: 4_102_444_800,
  })
  for (const header of [
    { alg: 'none' },
    { alg: 'HS256', kid: '../../dev/null' },
    { alg: 'HS256', jku: 'https://evil.example' },
  ])
    for (const name of ['__Host-session', '__Host-refresh_token']) {
      const client = visitor()
      client.cookies.set(name, `${encode({ typ: 'JWT', ...header })}.${claims}.`)
      expect(await isIn(client)).toBe(false)
    }
  const bearer = await visitor().get('/api/v1/auth/sessions', {
    Authorization: `Bearer ${encode({ alg: 'none' })}.${claims}.`,
  })
  expect(bearer.status).toBe(401)
})

test('V9.2.1 expired token: refused', async ({ enter, visitor, newcomer, rows }) => {
  const client = await enter(newcomer)
  const thief = copyOf(client, visitor)
  thief.cookies.delete('__Host-refresh_token')
  expect(await isIn(thief)).toBe(true)
  rows.change(
    "update session_tokens set expires_at = ? where kind = 'access' and session_id in (select id from sessions where user_id = ?)",
    Date.now() - 1_000,
    newcomer.id,
  )
  expect(await isIn(thief)).toBe(false)
})

test('V9.2.2 tokens: one kind is not accepted as another', async ({ enter, visitor, newcomer }) => {
  const client = await enter(newcomer)
  const access = client.cookies.get('__Host-session') ?? ''
  const refresh = client.cookies.get('__Host-refresh_token') ?? ''
  for (const [name, value] of [
    ['__Host-session', refresh],
    ['__Host-refresh_token', access],
    ['__Host-sign-in', access],
    ['__Host-browser', refresh],
  ] as const) {
    const thief = visitor()
    thief.cookies.set(name, value)
    expect([name, await isIn(thief)]).toEqual([name, false])
  }
  expect(await isIn(client)).toBe(true)
})
