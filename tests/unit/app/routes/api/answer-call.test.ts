import { createSecretKey } from 'node:crypto'
import { RouterContextProvider } from 'react-router'
import { expect, test, vi } from 'vitest'
import { actorContext, browserContext, requestContext, systemContext } from '#app/http/context.ts'
import { answerCall } from '#app/routes/api/answer-call.ts'
import { makeCsrfToken } from '#server/domain/crypto/csrf.ts'

const REQUEST_ID = '0f5f8a3e-5d7b-4c76-8f0e-6a4d3f7f2c11'
const BROWSER = '9b2b9f52-4a1e-4f6a-bb0f-0a1a7f1f2d3c'
const KEY = createSecretKey(new Uint8Array(32).fill(7))

/** A call without a session; the system has only the parts that run before the use case. */
async function ask(path: string, init: RequestInit = {}, settings: { isDemo?: boolean } = {}) {
  const context = new RouterContextProvider()
  const origin = { ip: '203.0.113.7', device: 'Firefox', requestId: REQUEST_ID, browser: null }
  context.set(actorContext, { kind: 'anonymous', ...origin })
  context.set(browserContext, { id: BROWSER, isNew: false })
  context.set(requestContext, { id: REQUEST_ID, nonce: '', ip: origin.ip, userAgent: '' })
  context.set(systemContext, {
    clock: { now: () => Date.parse('2026-11-20T15:05:00Z') },
    settings: {
      isDemo: false,
      publicOrigin: 'https://rubrica.notaria.mx',
      csrfKey: KEY,
      ...settings,
    },
  } as never)
  const url = new URL(path, 'https://rubrica.notaria.mx')
  const response = await answerCall({ request: new Request(url, init), url, context })
  const text = await response.text()
  return { response, body: text === '' ? undefined : JSON.parse(text) }
}

test('API description: public in the demo, else for signed-in users only', async () => {
  const open = await ask('/api/v1/openapi.json', {}, { isDemo: true })
  expect(open.response.status).toBe(200)
  expect(open.body).toMatchObject({
    openapi: '3.1.1',
    servers: [{ url: 'https://rubrica.notaria.mx' }],
  })
  const closed = await ask('/api/v1/openapi.json')
  expect([closed.response.status, closed.body.code]).toEqual([401, 'not-signed-in'])
})

test('a refusal is a problem with a code, a sentence and the name of the request', async () => {
  const { response, body } = await ask('/api/v1/auth/sessions')
  expect(response.headers.get('Content-Type')).toBe('application/problem+json; charset=utf-8')
  expect(response.headers.get('Cache-Control')).toBe('no-store')
  expect(body).toEqual({
    type: 'urn:rubrica:problem:not-signed-in',
    title: 'Sin sesión o sin prueba de identidad',
    status: 401,
    detail: 'Su sesión ha expirado. Por favor, inicie sesión nuevamente.',
    code: 'not-signed-in',
    instance: `urn:uuid:${REQUEST_ID}`,
  })
})

test('times are RFC 3339', async () => {
  const { body } = await ask('/api/v1/auth/health')
  expect(body).toEqual({ status: 'ok', time: '2026-11-20T15:05:00.000Z' })
})

test('API: an unexpected error answers its request id alone and is logged', async () => {
  const logged = vi.spyOn(console, 'error').mockReturnValue()
  const token = makeCsrfToken(KEY, BROWSER, new Uint8Array(16))
  const { response, body } = await ask('/api/v1/auth/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-CSRFToken': token },
    // There is no database to look them up in.
    body: JSON.stringify({ email: 'a@b.mx', password: 'x' }),
  })
  expect(response.status).toBe(500)
  expect(body).toMatchObject({
    code: 'server-error',
    detail: 'Error del servidor. Por favor, intente más tarde.',
  })
  expect(logged).toHaveBeenCalledOnce()
  expect(logged.mock.calls[0]?.[0]).toMatchObject({ requestId: REQUEST_ID })
  logged.mockRestore()
})

test('the end of a session is told to the next page, unless a refresh may bring it back', async () => {
  const flashOf = async (Cookie: string) =>
    (await ask('/api/v1/auth/session', { headers: { Cookie } })).response.headers.get('Set-Cookie')
  expect(await flashOf('')).toBeNull()
  expect(await flashOf('__Host-session=x')).toMatch(/^__Host-flash=session-expired;/)
  expect(await flashOf('__Host-session=x; __Host-refresh_token=y')).toBeNull()
})
