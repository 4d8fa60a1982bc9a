import { actorContext, requestContext } from '#app/http/context.ts'
import { readCookie } from '#app/http/cookies/cookies.ts'
import { flash } from '#app/http/cookies/flash.ts'
import { sessionCookies } from '#app/http/cookies/session-cookies.ts'
import { mustBeOurForm } from '#app/http/csrf.ts'
import { isJson, readJson } from '#app/http/json-body.ts'
import { problemAnswer, type Refusal, refusalFor } from '#app/http/problem-json.ts'
import { answerTo } from '#app/http/problems.ts'
import { isCsrfTokenOf } from '#server/domain/crypto/csrf.ts'
import { deviceName } from '#server/domain/identity/device-name.ts'
import { DatabaseUnreachable, problemIn } from '#server/domain/installation/database-unreachable.ts'
import { Problem } from '#server/domain/problem.ts'
import { findRefreshable } from '#server/features/auth/find-refreshable.ts'
import { refreshSession } from '#server/features/auth/refresh-session.ts'
import { resumeWithToken } from '#server/features/auth/resume-with-token.ts'
import { findCall } from './calls.ts'
import { actorOf, type Call, type Context, systemOf } from './define-call.ts'
import { Refused } from './refused.ts'
import { queryOf, validated } from './validate.ts'

type RouteArgs = { request: Request; url: URL; context: Context }

/** Responds to an API call, with problem+json on a refusal. Never throws. */
export async function answerCall(args: RouteArgs): Promise<Response> {
  const headers = new Headers({ 'Cache-Control': 'no-store' })
  let call: Call | undefined
  try {
    call = findCall(args.url.pathname, args.request.method)
    return await runCall(call, args, headers)
  } catch (error) {
    return refuse(error, call, args, headers)
  }
}

async function runCall(
  call: Call,
  { request, url, context }: RouteArgs,
  headers: Headers,
): Promise<Response> {
  const cookies = await checkAccess(call, request, context)
  for (const cookie of cookies) headers.append('Set-Cookie', cookie)

  const path = call.path && pathOf(call, url.pathname)
  const query = call.query && validated(call.query, queryOf(url.searchParams))
  const body = call.request && validated(call.request, await bodyOf(request))
  const [system, actor] = [systemOf(context), actorOf(context)]
  const reply = await call.reply({ system, actor, request, path, query, body })

  for (const cookie of reply.cookies ?? []) headers.append('Set-Cookie', cookie)
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value)
  if (!call.response) return new Response(null, { status: 204, headers })
  headers.set('Content-Type', 'application/json; charset=utf-8')
  // The schema is a promise: a body with other fields is a bug and is not sent.
  return new Response(JSON.stringify(call.response.parse(reply.body)), { headers })
}

/**
 * Checks access to the call. Reports a missing session before anything about tokens: clients depend on it.
 *
 * @returns cookies of tokens that were refreshed on the way
 */
async function checkAccess(call: Call, request: Request, context: Context): Promise<string[]> {
  if (call.access === 'access-token') {
    context.set(actorContext, await personOfProgram(request, context))
    return []
  }
  const { isDemo } = systemOf(context).settings
  const isForEveryone =
    call.access === 'everyone' || call.access === 'proof' || (call.access === 'open-demo' && isDemo)
  if (!isForEveryone && actorOf(context).kind !== 'person')
    throw new Problem('not-signed-in', `${call.name} wants a session`)
  if (call.method === 'GET') return []

  await checkCsrfHeader(request, context)
  return call.exchange ? await exchange(call, request, context) : []
}

/**
 * Returns the owner of the access token. No CSRF token is needed: a page of another origin cannot
 * send this header without our consent.
 *
 * @throws {Problem} `not-signed-in`, `too-many-attempts`
 */
async function personOfProgram(request: Request, context: Context) {
  const [, text = ''] =
    /^Bearer +([\w-]{1,100})$/i.exec(request.headers.get('Authorization') ?? '') ?? []
  const { ip, userAgent, id } = context.get(requestContext)
  const origin = { ip, device: deviceName(userAgent), requestId: id, browser: null }
  return await resumeWithToken(systemOf(context), origin, text, 'sign')
}

/**
 * Checks the CSRF header; the body is not read yet. A session with an expired access token is found by its
 * refresh token, so that an old page can still refresh or sign out.
 *
 * @throws {Problem} `cross-site`
 */
async function checkCsrfHeader(request: Request, context: Context): Promise<void> {
  const system = systemOf(context)
  const isAnonymous = actorOf(context).kind !== 'person'
  const refresh = isAnonymous ? readCookie(request, '__Host-refresh_token') : undefined
  const refreshable = await findRefreshable(system, refresh)
  const given = request.headers.get('X-CSRFToken') ?? ''
  if (refreshable && isCsrfTokenOf(system.settings.csrfKey, refreshable.sessionId, given)) return
  mustBeOurForm(request, context, undefined)
}

async function exchange(call: Call, request: Request, context: Context): Promise<string[]> {
  const actor = actorOf(context)
  if (call.exchange === 'when-needed' && actor.kind === 'person') return []
  const system = systemOf(context)
  const token = readCookie(request, '__Host-refresh_token')
  const answer = token ? await refreshSession(system, actor, token) : undefined
  if (answer?.kind !== 'refreshed') return []
  context.set(actorContext, answer.person)
  return sessionCookies(answer.tokens, system.clock.now())
}

function pathOf(call: Call, pathname: string): unknown {
  const names = call.template.split('/')
  const values = pathname.replace('/api/v1', '').split('/')
  const named = names.flatMap((name, index) =>
    name.startsWith('{') ? [[name.slice(1, -1), values[index]]] : [],
  )
  const parsed = call.path?.safeParse(Object.fromEntries(named))
  if (!parsed?.success) throw new Problem('not-found', 'no id')
  return parsed.data
}

async function bodyOf(request: Request): Promise<unknown> {
  if (isJson(request)) return await readJson(request)
  throw new Refused({
    status: 415,
    code: 'unsupported-media-type',
    detail: 'La solicitud debe ser application/json en UTF-8.',
  })
}

function refuse(
  error: unknown,
  call: Call | undefined,
  { request, context }: RouteArgs,
  headers: Headers,
): Response {
  const { id } = context.get(requestContext)
  const problem = problemIn(error)
  const refusal = refusalIn(problem ?? error, call)
  if (error instanceof Refused) {
    for (const cookie of error.cookies) headers.append('Set-Cookie', cookie)
    for (const [name, value] of Object.entries(error.headers)) headers.set(name, value)
  }
  if (refusal.status === 500 || error instanceof DatabaseUnreachable)
    console.error({ requestId: id, error })
  if (problem)
    for (const [name, value] of Object.entries(answerTo(problem).headers ?? {}))
      headers.set(name, value)
  if (call?.access === 'access-token') {
    if (refusal.status === 401) headers.set('WWW-Authenticate', 'Bearer')
  } else if (refusal.code === 'not-signed-in' && isEndOfSession(request, call))
    headers.append('Set-Cookie', flash('session-expired'))
  return problemAnswer(refusal, id, headers)
}

function refusalIn(error: unknown, call: Call | undefined): Refusal {
  if (error instanceof Refused) return error.refusal
  if (!(error instanceof Problem))
    return {
      status: 500,
      code: 'server-error',
      detail: 'Error del servidor. Por favor, intente más tarde.',
    }
  const refusal = refusalFor(error)
  // Here 401 means an expired session only: the client would redirect to /login for any other reason too.
  const isAboutSession = error.code === 'not-signed-in' || call?.access === 'proof'
  return refusal.status === 401 && !isAboutSession ? { ...refusal, status: 422 } : refusal
}

/** Returns whether the browser's session is over for good; its next page then shows a message. */
function isEndOfSession(request: Request, call: Call | undefined): boolean {
  const mayRefresh = !call?.exchange && readCookie(request, '__Host-refresh_token')
  return !mayRefresh && readCookie(request, '__Host-session') !== undefined
}
