import { expect, test } from 'vitest'
import { replayRequest } from '#app/http/replay-request.ts'

const publicOrigin = 'https://rubrica.notaria.mx'
const kept = {
  path: '/dashboard/users/new?from=list',
  contentType: 'application/x-www-form-urlencoded',
  body: new TextEncoder().encode('csrf=x&name=%C3%91'),
}

test('the form comes from its page, with the cookies that the browser has by now', async () => {
  const headers = new Headers({
    Accept: 'text/html',
    Cookie: '__Host-session=old; csrftoken=a.b; __Host-theme=dark; __Host-refresh_token=older',
  })
  const newCookies = [
    '__Host-session=new; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=60',
    '__Host-refresh_token=newer; Path=/; Secure',
    'refresh_token=1; Path=/',
  ]
  const request = replayRequest(kept, { headers, newCookies, publicOrigin })
  expect(request.url).toBe(publicOrigin + kept.path)
  expect(request.method).toBe('POST')
  expect(Object.fromEntries(request.headers)).toEqual({
    accept: 'text/html',
    'content-type': kept.contentType,
    origin: publicOrigin,
    referer: publicOrigin + kept.path,
    cookie:
      '__Host-session=new; csrftoken=a.b; __Host-theme=dark; __Host-refresh_token=newer; refresh_token=1',
  })
  expect(await request.text()).toBe('csrf=x&name=%C3%91')
})

test('without any cookie before', () => {
  const newCookies = ['__Host-session=a=b; Path=/']
  const request = replayRequest(kept, { headers: new Headers(), newCookies, publicOrigin })
  expect(request.headers.get('Cookie')).toBe('__Host-session=a=b')
})
