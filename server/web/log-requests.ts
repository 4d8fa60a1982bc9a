import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { milliseconds } from '#server/domain/time.ts'
import type { Meter } from '#server/metrics/meter.ts'
import { loggedPath } from './logged-path.ts'

/** Without 401, 404 and 422: those are typing errors, and the office's log records what matters. */
const REFUSED = new Set([400, 403, 405, 413, 415, 421, 429])

/** Of an address: the lines of an attack must not be as long as its requests. */
const MOST_LETTERS = 200

/** The methods that any route answers; others are strangers' inventions, which must not become labels. */
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'])

/**
 * Writes one line for each request that a route answered, and measures all. A refused one is a warning, most of them from unknown
 * clients: a foreign origin, a form without its token, too much, too often.
 */
export function logRequests(
  log: Pick<Logger, 'warn' | 'info'>,
  meter?: Pick<Meter, 'answered'>,
): RequestHandler {
  return (request, response, next) => {
    const began = performance.now()
    response.once('finish', () => {
      const took = milliseconds(performance.now() - began)
      const { statusCode: status, locals } = response
      const { ip, method } = request
      const path = loggedPath(request.path).slice(0, MOST_LETTERS)
      const line = { status, method, path, ip, requestId: locals.requestId }
      const route: string | undefined = locals.route
      if (REFUSED.has(status)) log.warn(line, 'refused')
      // A file of the application is not worth a line.
      else if (route !== undefined)
        log.info({ ...line, milliseconds: Math.round(took) }, 'answered')
      meter?.answered({ method: METHODS.has(method) ? method : 'other', route, status, took })
    })
    next()
  }
}
