import type { TakenRequest } from '#server/features/auth/take-kept-request.ts'

/**
 * Returns the kept form as a request that its page would send now, with the cookies that the browser has
 * after the step-up.
 *
 * @param from.headers of the request that replays it
 * @param from.newCookies `Set-Cookie` values of its response
 */
export function replayRequest(
  kept: TakenRequest,
  from: { headers: Headers; newCookies: readonly string[]; publicOrigin: string },
): Request {
  const headers = new Headers(from.headers)
  headers.set('Content-Type', kept.contentType)
  headers.set('Origin', from.publicOrigin)
  headers.set('Referer', from.publicOrigin + kept.path)
  headers.set('Cookie', withCookies(from.headers.get('Cookie') ?? '', from.newCookies))
  return new Request(from.publicOrigin + kept.path, {
    method: 'POST',
    headers,
    body: Buffer.from(kept.body),
  })
}

function withCookies(known: string, added: readonly string[]): string {
  const jar = new Map<string, string>()
  for (const pair of [...known.split(';'), ...added.map((line) => line.split(';', 1)[0] ?? '')]) {
    const [name, value] = pair.trim().split(/=(.*)/s, 2)
    if (name) jar.set(name, value ?? '')
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}
