import { RouterContextProvider } from 'react-router'
import { expect, test } from 'vitest'
import { systemContext } from '#app/http/context.ts'
import { redirectToLogin } from '#app/http/redirect-to-login.ts'
import type { System } from '#server/system.ts'

async function redirected(cookie: string, path = '/dashboard/audit?page=2') {
  const context = new RouterContextProvider()
  context.set(systemContext, {} as System)
  const url = new URL(path, 'http://localhost:3000')
  const request = new Request(url, { headers: { Cookie: cookie } })
  const { status, headers } = await redirectToLogin({ request, context, url })
  return { status, location: headers.get('Location'), cookies: headers.getSetCookie() }
}

const LOCATION = '/login?returnUrl=%2Fdashboard%2Faudit%3Fpage%3D2'

test('redirect to the sign-in: a visitor without a session is told nothing', async () => {
  expect(await redirected('')).toEqual({ status: 302, location: LOCATION, cookies: [] })
})

test('redirect to the sign-in: a session that has ended is told, and a page that was read keeps no form', async () => {
  const { cookies, ...rest } = await redirected('__Host-session=a; csrftoken=b')
  expect(rest).toEqual({ status: 302, location: LOCATION })
  expect(cookies).toEqual([expect.stringMatching(/^__Host-flash=session-expired; /)])
})
