import { createContext, type MiddlewareFunction } from 'react-router'

/** The response of a replayed form, and the session cookies that the step-up produced. */
export type Replayed = { response: Response; cookies: readonly string[] }
export const replayedContext = createContext<Replayed | null>(null)

/** Responds with the replayed form's response instead of the step-up page, with the cookies of both. */
export const sendReplayed: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  const replayed = context.get(replayedContext)
  if (!replayed) return response
  const { status, statusText, body } = replayed.response
  const headers = new Headers(replayed.response.headers)
  const own = headers.getSetCookie()
  headers.delete('Set-Cookie')
  // The form's cookies go last: it may have ended the session or started another one.
  for (const cookie of [...replayed.cookies, ...own]) headers.append('Set-Cookie', cookie)
  return new Response(body, { status, statusText, headers })
}
