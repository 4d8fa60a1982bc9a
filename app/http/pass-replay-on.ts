import { createContext, type MiddlewareFunction } from 'react-router'

/** A resumed form's answer, and the cookies that its person got for proving who they are. */
export type Replayed = { response: Response; cookies: readonly string[] }
export const replayedContext = createContext<Replayed | null>(null)

/**
 * Answers with what a resumed form was answered, whatever the page that resumed it would show, and with the
 * cookies of both.
 */
export const passReplayOn: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  const replayed = context.get(replayedContext)
  if (!replayed) return response
  const { status, statusText, body } = replayed.response
  const headers = new Headers(replayed.response.headers)
  const own = headers.getSetCookie()
  headers.delete('Set-Cookie')
  // The form's come last: it may have ended the session, or begun another one.
  for (const cookie of [...replayed.cookies, ...own]) headers.append('Set-Cookie', cookie)
  return new Response(body, { status, statusText, headers })
}
