import { randomUUID } from 'node:crypto'
import type { MiddlewareFunction } from 'react-router'
import { deviceName } from '#server/domain/identity/device-name.ts'
import { resumeSession } from '#server/features/auth/resume-session.ts'
import { actorContext, browserContext, requestContext, systemContext } from './context.ts'
import { readCookie, setCookie } from './cookies.ts'

const BROWSER_ID = /^[0-9a-f-]{36}$/

/** Finds out who asks, for every route; whoever has no live session is anonymous. */
export const loadActor: MiddlewareFunction<Response> = async ({ request, context }, next) => {
  const facts = context.get(requestContext)
  const origin = {
    ip: facts.ip,
    device: deviceName(facts.userAgent),
    requestId: facts.id,
  }
  const token = readCookie(request, '__Host-session')
  const person = token && (await resumeSession(context.get(systemContext), origin, token))
  const actor = person || ({ kind: 'anonymous', ...origin } as const)
  context.set(actorContext, actor)

  const known = readCookie(request, '__Host-browser')
  const isNew = !known || !BROWSER_ID.test(known)
  const id = isNew ? randomUUID() : known
  context.set(browserContext, { id, isNew })

  const response = await next()
  if (isNew) response.headers.append('Set-Cookie', setCookie('__Host-browser', id, 34_560_000))
  // Pictures and downloads say for themselves how long a browser may keep them.
  if (actor.kind === 'person' && !response.headers.has('Cache-Control'))
    response.headers.set('Cache-Control', 'no-store')
  return response
}
