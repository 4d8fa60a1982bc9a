import type { TakenRequest } from '#server/features/auth/take-kept-request.ts'

/**
 * A kept form as the browser would send it now: from its page, with the cookies that it has after the proof.
 *
 * @param headers of the request that resumes it
 * @param newCookies `Set-Cookie` values that it is about to get
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
