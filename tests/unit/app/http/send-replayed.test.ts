import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { replayedContext, sendReplayed } from '#app/http/send-replayed.ts'

type Args = Parameters<typeof sendReplayed>[0]

async function sent(context: RouterContextProvider): Promise<Response> {
  const page = new Response('the step-up', { headers: { 'Set-Cookie': 'page=1' } })
  const response = await sendReplayed({ context } as unknown as Args, async () => page)
  if (!response) throw new Error('no response')
  return response
}

test('step-up: without a form to send again, its own page is the answer', async () => {
  const response = await sent(new RouterContextProvider())
  expect(await response.text()).toBe('the step-up')
  expect(response.headers.getSetCookie()).toEqual(['page=1'])
})

test('step-up: the answer to the form, with the cookies of the step-up before those of the form', async () => {
  const context = new RouterContextProvider()
  const headers = new Headers({ 'Content-Type': 'text/html' })
  for (const cookie of ['session=3', 'flash=4']) headers.append('Set-Cookie', cookie)
  const response = new Response('the form', { status: 422, headers })
  context.set(replayedContext, { response, cookies: ['session=1', 'refresh=2'] })
  const answer = await sent(context)
  expect([answer.status, await answer.text()]).toEqual([422, 'the form'])
  expect(answer.headers.get('Content-Type')).toBe('text/html')
  expect(answer.headers.getSetCookie()).toEqual([
    ...['session=1', 'refresh=2', 'session=3', 'flash=4'],
  ])
})
