import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { actorContext, browserContext, requestContext, systemContext } from '#app/http/context.ts'
import { csrfTokenFor } from '#app/http/csrf.ts'
import { loadActor } from '#app/http/load-actor.ts'
import { isCsrfTokenOf } from '#server/domain/crypto/csrf.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { hours, minutes } from '#server/domain/time.ts'
import { origin } from '#tests/support/builders.ts'
import { aGuest, aGuestInvitation } from '#tests/support/office/guests.ts'
import { anAccount, newSession, personWith } from '#tests/support/office/sessions.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import { onEachSystem, type TestSystem } from '#tests/support/test-system.ts'

const BROWSER = '9b2b9f52-4a1e-4f6a-bb0f-0a1a7f1f2d3c'

type Visit = {
  path?: string
  cookies?: Record<string, string>
  headers?: Record<string, string>
  /** The answer of the route. */
  answer?: (context: RouterContextProvider) => Response
}

/** Sends a request through the middleware: which actor the route saw, and what the browser got. */
async function visit(system: TestSystem, { path = '/', cookies = {}, headers, answer }: Visit) {
  const context = new RouterContextProvider()
  context.set(systemContext, system)
  context.set(requestContext, { id: 'request-1', nonce: '', ip: origin.ip, userAgent: '' })
  const url = new URL(path, system.settings.publicOrigin)
  const Cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
  const request = new Request(url, { headers: { Cookie, ...headers } })
  const args = { request, url, context } as unknown as Parameters<typeof loadActor>[0]
  const response = await loadActor(args, async () => answer?.(context) ?? new Response('page'))
  if (!response) throw new Error('no response')
  return {
    actor: context.get(actorContext) as Actor,
    browser: context.get(browserContext),
    headers: response.headers,
    cookies: response.headers.getSetCookie().map((line) => line.split('=', 1)[0]),
  }
}

onEachSystem('actor of a request', (current) => {
  test('stranger who reads: is anonymous and gets no cookie; the browser asks before it shows the page again', async () => {
    const { actor, headers, cookies } = await visit(current(), {})
    expect(actor).toMatchObject({ kind: 'anonymous', ip: origin.ip, browser: null })
    expect(cookies).toEqual([])
    expect(headers.get('Cache-Control')).toBe('private, no-cache')
    expect(headers.get('Vary')).toBe('Cookie')
  })

  test('page with its own caching: keeps it for a stranger', async () => {
    const answer = () => new Response('page', { headers: { 'Cache-Control': 'max-age=60' } })
    const { headers } = await visit(current(), { answer })
    expect(headers.get('Cache-Control')).toBe('max-age=60')
  })

  test('page with a form for a stranger: sets browser and token, and is not stored', async () => {
    const answer = (context: RouterContextProvider) => new Response(csrfTokenFor(context))
    const { cookies, headers } = await visit(current(), { path: '/login', answer })
    expect(cookies).toEqual(['__Host-browser', 'csrftoken'])
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test.each([['__Host-sign-in'], ['__Host-guest'], ['__Host-signing-link']])(
    'answer that sets %s: sets the browser too',
    async (name) => {
      const answer = () => new Response('', { headers: { 'Set-Cookie': `${name}=1` } })
      const { cookies } = await visit(current(), { path: '/mfa', answer })
      expect(cookies).toEqual([name, '__Host-browser', 'csrftoken'])
    },
  )

  test('answer that sets the theme: does not set the browser', async () => {
    const answer = () => new Response('', { headers: { 'Set-Cookie': '__Host-theme=dark' } })
    const { cookies, headers } = await visit(current(), { answer })
    expect(cookies).toEqual(['__Host-theme'])
    expect(headers.get('Cache-Control')).toBe('no-store')
  })

  test('call of a stranger: gets browser and token', async () => {
    const { cookies } = await visit(current(), { path: '/api/v1/auth/health' })
    expect(cookies).toEqual(['__Host-browser', 'csrftoken'])
  })

  test('browser that was here before: keeps its id; one that is not ours is replaced', async () => {
    const path = '/api/v1/auth/health'
    const known = await visit(current(), { path, cookies: { '__Host-browser': BROWSER } })
    expect(known.browser).toEqual({ id: BROWSER, isNew: false })
    expect(known.actor.browser).not.toBeNull()
    expect(known.cookies).toEqual(['csrftoken'])
    for (const forged of [`${BROWSER}x`, `x${BROWSER}`, BROWSER.slice(1), '<script>'])
      expect(
        (await visit(current(), { path, cookies: { '__Host-browser': forged } })).browser,
      ).toMatchObject({ isNew: true })
  })

  test('access token of a session: its user, whose pages are not stored', async () => {
    const system = current()
    const account = await anAccount(system)
    const { tokens } = await newSession(system, account)
    const cookies = { '__Host-session': tokens.access }
    const { actor, headers, cookies: set } = await visit(system, { path: '/dashboard', cookies })
    expect(actor).toMatchObject({ kind: 'person', userId: account.user.id })
    expect(headers.get('Cache-Control')).toBe('no-store')
    expect(headers.get('Vary')).toBeNull()
    expect(set).toEqual(['__Host-browser', 'csrftoken'])
    const picture = () => new Response('', { headers: { 'Cache-Control': 'private, max-age=9' } })
    const shown = await visit(system, { path: '/dashboard', cookies, answer: picture })
    expect(shown.headers.get('Cache-Control')).toBe('private, max-age=9')
  })

  test('access token that ran out: a page refreshes it on the way, a call does not', async () => {
    const system = current()
    const account = await anAccount(system, {
      sessionIdle: minutes(30),
      sessionAbsolute: hours(12),
    })
    const { tokens } = await newSession(system, account)
    system.wait(minutes(11))
    const cookies = {
      '__Host-session': tokens.access,
      '__Host-refresh_token': tokens.refresh,
      '__Host-browser': BROWSER,
    }
    const call = await visit(system, { path: '/api/v1/auth/health', cookies })
    expect(call.actor.kind).toBe('anonymous')
    const page = await visit(system, { path: '/dashboard', cookies })
    expect(page.actor).toMatchObject({ kind: 'person', userId: account.user.id })
    expect(page.cookies).toEqual([
      ...['__Host-session', '__Host-refresh_token', 'refresh_token', 'csrftoken'],
    ])
  })

  test('route that ends the session: its cookies win over the refreshed ones', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    system.wait(minutes(11))
    const cookies = { '__Host-refresh_token': tokens.refresh, '__Host-browser': BROWSER }
    const answer = () =>
      new Response('', { headers: { 'Set-Cookie': '__Host-session=; Max-Age=0' } })
    const { headers } = await visit(system, { path: '/logout', cookies, answer })
    const lines = headers.getSetCookie().filter((line) => line.startsWith('__Host-session='))
    expect(lines).toEqual(['__Host-session=; Max-Age=0'])
  })

  test('refresh token that was never issued, or of an ended session: the page is a stranger’s', async () => {
    const system = current()
    const { tokens } = await newSession(system, await anAccount(system))
    for (const [refresh, wait] of [
      ['x'.repeat(43), minutes(0)],
      [tokens.refresh, hours(13)],
    ] as const) {
      system.wait(wait)
      const cookies = { '__Host-refresh_token': refresh }
      const { actor, cookies: set } = await visit(system, { path: '/dashboard', cookies })
      expect(actor).toMatchObject({ kind: 'anonymous' })
      expect(set).not.toContain('__Host-session')
    }
  })

  test('client between two access tokens: its form token is of the session; after its end, of the browser', async () => {
    const system = current()
    const { tokens, session } = await newSession(system, await anAccount(system))
    system.wait(minutes(11))
    const { refresh } = tokens
    const cookies = { '__Host-refresh_token': refresh, '__Host-browser': BROWSER }
    const isOf = async (bearer: string) => {
      const { headers } = await visit(system, { path: '/api/v1/auth/health', cookies })
      const [line = ''] = headers.getSetCookie().filter((one) => one.startsWith('csrftoken='))
      const token = decodeURIComponent(line.split(';', 1)[0]?.split('=')[1] ?? '')
      return isCsrfTokenOf(system.settings.csrfKey, bearer, token)
    }
    expect(await isOf(session.id)).toBe(true)
    system.wait(hours(13))
    expect(await isOf(session.id)).toBe(false)
    expect(await isOf(BROWSER)).toBe(true)
  })

  test('prefetched page and call in the background: do not keep a session from resting', async () => {
    const system = current()
    const account = await anAccount(system, {
      sessionIdle: minutes(8),
      sessionAbsolute: hours(12),
    })
    const quiet = [
      { path: '/dashboard', headers: { 'Sec-Purpose': 'prefetch;prerender' } },
      { path: '/api/v1/auth/session/validate' },
      { path: '/api/v1/auth/health' },
    ]
    for (const one of quiet) {
      const { tokens } = await newSession(system, account)
      const cookies = { '__Host-session': tokens.access }
      system.wait(minutes(5))
      expect((await visit(system, { ...one, cookies })).actor.kind).toBe('person')
      system.wait(minutes(4))
      expect((await visit(system, { path: '/dashboard', cookies })).actor.kind).toBe('anonymous')
    }
    const { tokens } = await newSession(system, account)
    const cookies = { '__Host-session': tokens.access }
    system.wait(minutes(5))
    await visit(system, { path: '/dashboard', cookies })
    system.wait(minutes(4))
    expect(await personWith(system, tokens.access)).toMatchObject({ kind: 'person' })
  })
})

onEachSigningSystem('guest of a request', (current) => {
  test('holder of a signing link: a guest below /sign alone, never stored and kept out of search engines', async () => {
    const system = current()
    const scene = await aGuestInvitation(system)
    const { token, guest } = await aGuest(system, scene)
    const { tokens } = await newSession(system, scene)
    const cookies = { '__Host-guest': token, '__Host-session': tokens.access }
    const cached = () => new Response('', { headers: { 'Cache-Control': 'max-age=60' } })
    for (const path of ['/sign', '/sign/documents']) {
      const seen = await visit(system, { path, cookies, answer: cached })
      expect(seen.actor).toMatchObject({ kind: 'guest', linkId: guest.linkId })
      expect(seen.headers.get('Cache-Control')).toBe('no-store')
      expect(seen.headers.get('X-Robots-Tag')).toBe('noindex')
      expect(seen.cookies).toEqual(['__Host-browser'])
    }
    const spent = await visit(system, { path: '/sign', cookies: { '__Host-guest': 'x' } })
    expect(spent.actor.kind).toBe('anonymous')
    for (const path of ['/dashboard', '/signal', '/x/sign']) {
      const seen = await visit(system, { path, cookies })
      expect(seen.actor.kind).toBe('person')
      expect(seen.headers.get('X-Robots-Tag')).toBeNull()
    }
  })
})
