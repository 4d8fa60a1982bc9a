import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createClient } from '#app/client/call.ts'
import { checkSession, logOut } from '#app/client/session.ts'
import * as state from '#app/client/state.ts'
import type { TypedForm } from '#app/client/typed-form.ts'
import { errors } from '#app/messages/errors.ts'

/** A browser, and a server that answers each path with these statuses in order, repeating the last. */
function visit(
  answers: Record<string, (number | [status: number, body: unknown] | 'no network')[]>,
  options: {
    cookies?: string
    place?: string
    typed?: TypedForm
    speed?: (path: string) => Promise<void>
  } = {},
) {
  const asked: { line: string; headers: Record<string, string>; body: unknown }[] = []
  const left: string[] = []
  const { pathname, search } = new URL(options.place ?? '/dashboard', 'http://localhost')
  const client = createClient({
    fetch: async (address, init) => {
      const path = String(address).replace('/api/v1/auth/', '')
      asked.push({
        line: `${init?.method} ${path}`,
        headers: init?.headers as Record<string, string>,
        body: init?.body,
      })
      expect(init?.credentials).toBe('include')
      const turns = answers[path] ?? [404]
      const turn = turns.length > 1 ? turns.shift() : turns[0]
      await options.speed?.(path)
      if (turn === 'no network' || turn === undefined) throw new TypeError('Failed to fetch')
      const [status, body] = typeof turn === 'number' ? [turn, {}] : turn
      return body === undefined ? new Response(null, { status }) : Response.json(body, { status })
    },
    cookies: () => options.cookies ?? '',
    place: () => ({ pathname, search }),
    typed: () => options.typed,
    go: (address) => left.push(address),
  })
  return { client, asked, left, lines: () => asked.map(({ line }) => line) }
}

const notices = () =>
  state.currentState().notifications.map(({ type, message, duration }) => [type, message, duration])

const EXPIRED = ['warning', errors.sessionExpired, 6000]
const MARKER = 'refresh_token=1'

beforeEach(() => {
  vi.useFakeTimers()
})

afterEach(() => {
  state.clearNotifications()
  state.clearMfaChallenge()
  state.setGlobalLoading(false)
  vi.useRealTimers()
})

test('every call brings the token of the cookie, and says that it brings JSON', async () => {
  const { client, asked } = visit({}, { cookies: 'theme=x; csrftoken=abc.def; refresh_token=1' })
  await client.call('GET', 'sessions')
  await client.call('PUT', 'webauthn/credentials/7', { name: 'Roja' })
  await client.call('POST', 'logout')
  expect(asked).toEqual([
    { line: 'GET sessions', headers: { 'X-CSRFToken': 'abc.def' }, body: undefined },
    {
      line: 'PUT webauthn/credentials/7',
      headers: { 'X-CSRFToken': 'abc.def', 'Content-Type': 'application/json' },
      body: '{"name":"Roja"}',
    },
    {
      line: 'POST logout',
      headers: { 'X-CSRFToken': 'abc.def', 'Content-Type': 'application/json' },
      body: '{}',
    },
  ])
})

test('without a token none is sent', async () => {
  const { client, asked } = visit({}, { cookies: 'xcsrftoken=1; csrftoken=' })
  await client.call('GET', 'health')
  expect(asked[0]?.headers).toEqual({})
})

test('a good answer is handed over, and nothing is said', async () => {
  const { client } = visit({ sessions: [[200, { total: 1 }]], 'sessions/7': [[204, undefined]] })
  expect(await client.call('GET', 'sessions')).toEqual({
    ok: true,
    status: 200,
    data: { total: 1 },
  })
  expect(await client.call('DELETE', 'sessions/7')).toEqual({
    ok: true,
    status: 204,
    data: undefined,
  })
  expect(notices()).toEqual([])
})

test.each([
  ['no network', 'error', 'Error de conexión. Por favor, verifique su conexión a internet.'],
  [403, 'warning', 'No tiene permisos para realizar esta acción.'],
  [404, 'warning', 'El recurso solicitado no fue encontrado.'],
  [500, 'error', 'Error del servidor. Por favor, intente más tarde.'],
  [400, 'error', 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
  [409, 'error', 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
  [422, 'error', 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
  [429, 'error', 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
  [503, 'error', 'Ocurrió un error inesperado. Por favor, intente nuevamente.'],
] as const)('%s is told for five seconds', async (status, type, message) => {
  const { client, left } = visit({ sessions: [status] }, { cookies: MARKER })
  expect((await client.call('GET', 'sessions')).ok).toBe(false)
  expect(notices()).toEqual([[type, message, 5000]])
  expect(left).toEqual([])
})

test('after a 401 the session is refreshed once and the call made once more', async () => {
  const { client, lines, left } = visit(
    { sessions: [401, [200, { total: 2 }]], refresh: [[200, { user: {} }]] },
    { cookies: MARKER },
  )
  expect(await client.call('GET', 'sessions')).toMatchObject({ ok: true, data: { total: 2 } })
  expect(lines()).toEqual(['GET sessions', 'POST refresh', 'GET sessions'])
  expect([notices(), left]).toEqual([[], []])
})

test('the second try sends the same again', async () => {
  const { client, asked } = visit(
    { 'webauthn/credentials/7': [401, 200], refresh: [200] },
    { cookies: MARKER },
  )
  await client.call('PUT', 'webauthn/credentials/7', { name: 'Roja' })
  expect(asked.map(({ body }) => body)).toEqual(['{"name":"Roja"}', '{}', '{"name":"Roja"}'])
})

test('a call that fails after the refresh is told like any other', async () => {
  const { client, left } = visit({ sessions: [401, 403], refresh: [200] }, { cookies: MARKER })
  await client.call('GET', 'sessions')
  expect(notices()).toEqual([['warning', errors.forbidden, 5000]])
  expect(left).toEqual([])
})

test.each([
  ['the refresh is refused', [401] as const],
  ['the refresh fails', [500] as const],
  ['there is no network', ['no network'] as const],
  ['the refresh returns no data', [[204, undefined]] as const],
])('when %s the session is over', async (_, turns) => {
  const { client, lines, left } = visit(
    { sessions: [401], refresh: [...turns] as never },
    { cookies: MARKER, place: '/dashboard/audit?page=2' },
  )
  state.setMfaChallenge('4d6f')
  await client.call('GET', 'sessions')
  expect(lines()).toEqual(['GET sessions', 'POST refresh'])
  expect(notices()).toEqual([EXPIRED])
  expect(left).toEqual(['/login?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D2'])
  expect(state.currentState()).toMatchObject({ requiresMFA: false, mfaSessionToken: null })
})

test('without the marker of a refresh token nothing is refreshed', async () => {
  const { client, lines, left } = visit({ sessions: [401], refresh: [200] })
  await client.call('GET', 'sessions')
  expect(lines()).toEqual(['GET sessions'])
  expect(notices()).toEqual([EXPIRED])
  expect(left).toEqual(['/login?returnUrl=%2Fdashboard'])
})

test('a second 401 ends it, without a third try', async () => {
  const { client, lines, left } = visit({ sessions: [401], refresh: [200] }, { cookies: MARKER })
  await client.call('GET', 'sessions')
  expect(lines()).toEqual(['GET sessions', 'POST refresh', 'GET sessions'])
  expect(left).toHaveLength(1)
})

test('a refresh that is asked for and refused is not refreshed itself', async () => {
  const { client, lines, left } = visit({ refresh: [401] }, { cookies: MARKER })
  await client.call('POST', 'refresh')
  expect(lines()).toEqual(['POST refresh'])
  expect(left).toHaveLength(1)
})

test.each(['login', 'verify-mfa', 'webauthn/authenticate/begin', 'webauthn/authenticate/finish'])(
  'a 401 of %s does not end the session',
  async (path) => {
    const { client, lines, left } = visit({ [path]: [401] }, { cookies: MARKER })
    expect(await client.call('POST', path)).toMatchObject({ ok: false, status: 401 })
    expect(lines()).toEqual([`POST ${path}`])
    expect([notices(), left]).toEqual([[], []])
  },
)

test.each(['/login', '/'])('at %s the session ends without going anywhere', async (place) => {
  const { client, left } = visit({ sessions: [401] }, { place })
  await client.call('GET', 'sessions')
  expect(notices()).toEqual([EXPIRED])
  expect(left).toEqual([])
})

test('calls that find the session over at the same time share one refresh', async () => {
  let open = () => {}
  const gate = new Promise<void>((resolve) => {
    open = resolve
  })
  const { client, lines } = visit(
    {
      sessions: [401, 200],
      session: [401, 200],
      'webauthn/credentials': [401, 200],
      refresh: [200],
    },
    { cookies: MARKER, speed: (path) => (path === 'refresh' ? gate : Promise.resolve()) },
  )
  const calls = ['sessions', 'session', 'webauthn/credentials'].map((path) =>
    client.call('GET', path),
  )
  await vi.waitFor(() => expect(lines()).toHaveLength(4))
  open()
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([200, 200, 200])
  expect(lines().filter((line) => line === 'POST refresh')).toHaveLength(1)
  expect(notices()).toEqual([])
})

test('calls that end together warn once and leave once', async () => {
  const { client, lines, left } = visit(
    { sessions: [401], session: [401], refresh: [401] },
    { cookies: MARKER },
  )
  await Promise.all([client.call('GET', 'sessions'), client.call('GET', 'session')])
  expect(lines().filter((line) => line === 'POST refresh')).toHaveLength(1)
  expect(notices()).toEqual([EXPIRED])
  expect(left).toHaveLength(1)
})

test('the next end of a session has its own refresh', async () => {
  const { client, lines } = visit(
    { sessions: [401, 200, 401, 200], refresh: [200] },
    { cookies: MARKER },
  )
  await client.call('GET', 'sessions')
  await client.call('GET', 'sessions')
  expect(lines().filter((line) => line === 'POST refresh')).toHaveLength(2)
})

test('a password that is not enough leaves a challenge, and the second factor clears it', async () => {
  const { client } = visit({
    login: [[200, { requiresMFA: true, mfaSessionToken: '4d6f' }]],
    'verify-mfa': [401, [200, { requiresMFA: false, mfaSessionToken: null }]],
  })
  await client.call('POST', 'login', { email: 'a@b.mx', password: 'x' })
  expect(state.currentState()).toMatchObject({ requiresMFA: true, mfaSessionToken: '4d6f' })
  await client.call('POST', 'verify-mfa', { code: '000000' })
  expect(state.currentState().requiresMFA).toBe(true)
  await client.call('POST', 'verify-mfa', { code: '123456' })
  expect(state.currentState()).toMatchObject({ requiresMFA: false, mfaSessionToken: null })
})

test.each([
  ['valid', [200, { valid: true }] as const, []],
  ['over', [200, { valid: false }] as const, ['/login?returnUrl=%2Fdashboard']],
  ['refused', 401, ['/login?returnUrl=%2Fdashboard']],
  ['forbidden', 403, ['/login?returnUrl=%2Fdashboard']],
  ['not to be asked', 'no network', []],
])('a session that is %s', async (_, turn, expected) => {
  const { client, left } = visit({ 'session/validate': [turn as never] })
  await checkSession(client)
  expect(left).toEqual(expected)
})

test('a spinner shows until it is known whether the session is there', async () => {
  const { client } = visit({ 'session/validate': [[200, undefined], 500, [200, { valid: true }]] })
  for (const isStillAsked of [true, false, false]) {
    const checked = checkSession(client)
    expect(state.currentState().globalLoading).toBe(true)
    await checked
    expect(state.currentState().globalLoading).toBe(isStillAsked)
  }
})

test.each([204, 401, 403, 500, 'no network'] as const)(
  'leaving goes on at /login, although the answer is %s',
  async (turn) => {
    const logged = vi.spyOn(console, 'warn').mockReturnValue()
    const { client, left, lines } = visit(
      { logout: [turn === 204 ? [204, undefined] : turn] },
      { cookies: MARKER },
    )
    const went: string[] = []
    await logOut(undefined, client, (address) => went.push(address))
    expect(lines()).toEqual(['POST logout'])
    expect(went).toEqual(['/login'])
    expect([notices(), left]).toEqual([[], []])
    expect(logged).toHaveBeenCalledTimes(turn === 204 ? 0 : 1)
    logged.mockRestore()
  },
)

test('sign-out: the form is submitted if the call fails', async () => {
  const logged = vi.spyOn(console, 'warn').mockReturnValue()
  const { client } = visit({ logout: [403, [204, undefined]] })
  const ways: string[] = []
  const leave = () =>
    logOut(
      () => ways.push('form'),
      client,
      (address) => ways.push(address),
    )
  await leave()
  await leave()
  expect(ways).toEqual(['form', '/login'])
  logged.mockRestore()
})

test('session over: what was typed is kept before the page leaves, and shown again after sign-in', async () => {
  const typed = { path: '/dashboard/users/7', fields: new URLSearchParams({ reason: 'Un motivo' }) }
  const { client, left, lines, asked } = visit(
    { validate: [401], '/keep-form?path=%2Fdashboard%2Fusers%2F7': [[200, { kept: 'ID' }]] },
    { place: '/dashboard/users/7?tab=1', typed },
  )
  client.expire()
  await vi.waitFor(() => expect(left).toHaveLength(1))
  expect(lines()).toEqual(['POST /keep-form?path=%2Fdashboard%2Fusers%2F7'])
  expect(asked[0]?.body).toBe(typed.fields)
  const page = '/dashboard/users/7?tab=1&conservado=ID'
  expect(left).toEqual([`/login?returnUrl=${encodeURIComponent(page)}`])
})

test.each([['no network' as const], [500]])(
  'session over: %s, and the page leaves all the same',
  async (answer) => {
    const typed = { path: '/dashboard', fields: new URLSearchParams({ reason: 'Un motivo' }) }
    const { client, left } = visit({ '/keep-form?path=%2Fdashboard': [answer] }, { typed })
    client.expire()
    await vi.waitFor(() => expect(left).toEqual(['/login?returnUrl=%2Fdashboard']))
  },
)
