import { randomUUID } from 'node:crypto'
import type { Request, RequestHandler, Response } from 'express'
import { plainAnswers } from '#server/words/plain-answers.ts'
import { drain } from './drain.ts'
import { plainPage } from './plain-page.ts'
import { plainProblem } from './plain-problem.ts'

const PAGE_METHODS = ['GET', 'HEAD', 'POST', 'OPTIONS']
const CALL_METHODS = [...PAGE_METHODS, 'PUT', 'DELETE']
const LOOPBACK = new Set(['127.0.0.1', '[::1]', 'localhost'])

/** Gives the request an id for the log and for error reports. */
export const assignRequestId: RequestHandler = (_request, response, next) => {
  response.locals.requestId = randomUUID()
  response.setHeader('X-Request-Id', response.locals.requestId)
  next()
}

/** Refuses methods that no route supports. */
export const allowKnownMethods: RequestHandler = (request, response, next) => {
  const methods = isCall(request) ? CALL_METHODS : PAGE_METHODS
  if (methods.includes(request.method)) return next()
  response.setHeader('Allow', methods.join(', '))
  refuse(response, 405, plainAnswers.methodNotAllowed)
}

/**
 * Keeps every client on the one public origin. Redirects requests for 127.0.0.1; refuses requests for any other
 * host, and absolute-form targets, which name their own host. The application always sees the public address,
 * also behind a proxy. Two `Host` fields are an error: a proxy before us may have believed the other one.
 *
 * @see RFC 9112, 3.2
 */
export function oneOrigin(publicOrigin: string): RequestHandler {
  const ours = new URL(publicOrigin)
  return (request, response, next) => {
    if ((request.headersDistinct.host ?? []).length > 1)
      return refuse(response, 400, plainAnswers.twoHosts)
    const isPath = request.originalUrl.startsWith('/')
    // Behind a trusted proxy, the host that the client requested.
    if (isPath && request.host === ours.host) return next()
    const name = (request.headers.host ?? '').replace(/:\d+$/, '')
    if (isPath && LOOPBACK.has(name) && ours.hostname === 'localhost' && isReading(request))
      return response.redirect(308, publicAddress(request, publicOrigin))
    refuse(response, 421, plainAnswers.otherHost)
  }
}

/**
 * With a public https address, accepts only encrypted requests: to this process or to a trusted proxy. If the
 * proxy reports plain HTTP, redirects a browser to https and refuses a program, which would otherwise never
 * notice that it sends its cookies unencrypted.
 */
export function onlyEncrypted(publicOrigin: string): RequestHandler {
  const { protocol, host } = new URL(publicOrigin)
  const scheme = protocol.slice(0, -1)
  return (request, response, next) => {
    if (scheme === 'https' && !isEncrypted(request)) {
      if (isReading(request) && !isCall(request))
        return response.redirect(308, publicAddress(request, publicOrigin))
      return refuse(response, 403, plainAnswers.notEncrypted)
    }
    // The public address is configured: no later code may read it from proxy headers.
    delete request.headers['x-forwarded-host']
    request.headers.host = host
    Object.defineProperty(request, 'protocol', { value: scheme })
    next()
  }
}

/* The path is appended to our origin, so that `//evil.example/` stays on our site. */
const publicAddress = ({ originalUrl }: Request, publicOrigin: string) => publicOrigin + originalUrl

function isEncrypted(request: Request): boolean {
  const { socket, headers } = request
  if ('encrypted' in socket && socket.encrypted) return true
  const isTrusted: (address: string | undefined, hop: number) => boolean =
    request.app.get('trust proxy fn')
  if (!isTrusted(socket.remoteAddress, 0)) return false
  const said = headers['x-forwarded-proto']
  return said === undefined || request.protocol === 'https'
}

/**
 * Refuses cross-site changes. Browsers send `Origin` with every POST; a program without a browser sends none
 * and needs its own token.
 */
export function sameOrigin(publicOrigin: string): RequestHandler {
  return (request, response, next) => {
    const origin = request.headers.origin
    const site = request.headers['sec-fetch-site']
    const isForeign =
      (origin !== undefined && origin !== publicOrigin) ||
      (site !== undefined && site !== 'same-origin' && site !== 'none')
    if (isReading(request) || !isForeign) return next()
    refuse(response, 403, plainAnswers.otherSite)
  }
}

function isReading(request: Request): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(request.method)
}

/** Answers a browser with a page and a program with a problem document, after the request was read. */
export async function refuse(response: Response, status: number, sentence: string): Promise<void> {
  const { req: request, locals } = response
  await drain(request, response)
  response.status(status).setHeader('Cache-Control', 'no-store')
  if (isCall(request))
    response
      .type('application/problem+json')
      .send(JSON.stringify(plainProblem(status, sentence, locals.requestId)))
  else response.type('html').send(plainPage(status, sentence))
}

/** Whether the client is a program instead of a browser. */
export const isCall = (request: Request) => /^\/api(?:\/|$)/.test(request.path)
