import { data, RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { answerToScript, forScript } from '#app/http/answer-to-script.ts'

type Args = Parameters<typeof answerToScript>[0]

/** Sends a form with this header, for which the page's action returns `answer` and the server renders `page`. */
async function answered(
  header: string | undefined,
  page: Response,
  answer?: Parameters<typeof forScript>[1],
) {
  const context = new RouterContextProvider()
  const headers = new Headers(header === undefined ? {} : { 'X-Form': header })
  const request = new Request('https://notaria.example/x', { method: 'POST', headers })
  const next = async () => {
    if (answer) forScript(context, answer)
    return page
  }
  const response = await answerToScript({ request, context } as unknown as Args, next)
  if (!response) throw new Error('no response')
  return response
}

const page = (status: number) =>
  new Response('<main>…</main>', {
    status,
    headers: { 'Content-Type': 'text/html', 'Content-Length': '16', 'Set-Cookie': 'a=1' },
  })

test('answer to a script: a script that asks for data gets what the action returned, with status and cookies', async () => {
  const response = await answered(
    'data',
    page(422),
    data({ errors: { file: ['Elija uno.'] } }, 422),
  )
  expect(response.status).toBe(422)
  expect(response.headers.get('X-Form')).toBe('data')
  expect(response.headers.get('Content-Type')).toMatch(/^application\/json/)
  expect(response.headers.get('Content-Length')).toBeNull()
  expect(response.headers.getSetCookie()).toEqual(['a=1'])
  expect(await response.json()).toEqual({ errors: { file: ['Elija uno.'] } })
})

test('answer to a script: an error page in place of the data is marked as a page', async () => {
  const response = await answered('data', page(403))
  expect([response.status, response.headers.get('X-Form')]).toEqual([403, 'page'])
  expect(await response.text()).toBe('<main>…</main>')
})

test('answer to a script: a script that sends a form gets the page, although its action gave data', async () => {
  const response = await answered('send', page(422), data({ errors: {} }, 422))
  expect(response.headers.get('X-Form')).toBe('page')
  expect(await response.text()).toBe('<main>…</main>')
})

test('answer to a script: a redirect is its address, with its cookies', async () => {
  const redirect = new Response(null, {
    status: 303,
    headers: { Location: '/dashboard', 'Set-Cookie': 'a=1' },
  })
  const response = await answered('data', redirect, redirect)
  expect([response.status, response.headers.get('X-Form')]).toEqual([200, 'next'])
  expect(response.headers.get('Location')).toBeNull()
  expect(response.headers.getSetCookie()).toEqual(['a=1'])
  expect(await response.text()).toBe('/dashboard')
})

test('answer to a script: neither an address nor data has the length and encoding of the page that it replaces', async () => {
  const encoded = { 'Content-Length': '16', 'Content-Encoding': 'gzip' }
  const redirect = new Response(null, {
    status: 303,
    headers: { Location: '/dashboard', ...encoded },
  })
  const refused = new Response('<main>…</main>', { status: 422, headers: encoded })
  for (const response of [
    await answered('send', redirect, redirect),
    await answered('data', refused, data({ errors: {} }, 422)),
  ])
    expect([
      response.headers.get('Content-Length'),
      response.headers.get('Content-Encoding'),
    ]).toEqual([null, null])
})

test.each([300, 303])('answer to a script: status %d is the next page', async (status) => {
  const redirect = new Response(null, { status, headers: { Location: '/dashboard' } })
  const response = await answered('send', redirect, redirect)
  expect([response.status, response.headers.get('X-Form')]).toEqual([200, 'next'])
})

test('answer to a script: a response of an action is no data', async () => {
  const response = await answered('data', page(422), new Response('otra cosa', { status: 422 }))
  expect(response.headers.get('X-Form')).toBe('page')
})

test.each([
  [304, 'is no redirect'],
  [307, 'sends the form again'],
  [308, 'sends the form again'],
])('answer to a script: status %d, which %s, stays as it is', async (status) => {
  const redirect = new Response(null, { status, headers: { Location: '/dashboard' } })
  const response = await answered('send', redirect, redirect)
  expect([response.status, response.headers.get('X-Form')]).toEqual([status, 'page'])
  expect(response.headers.get('Location')).toBe('/dashboard')
})

test('answer to a browser: is left as it is', async () => {
  const response = await answered(undefined, page(422), data({ errors: {} }, 422))
  expect(response.headers.get('X-Form')).toBeNull()
  expect(await response.text()).toBe('<main>…</main>')
})
