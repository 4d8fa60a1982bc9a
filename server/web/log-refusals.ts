import type { RequestHandler } from 'express'
import type { Logger } from 'pino'
import { loggedPath } from './logged-path.ts'

/** Without 401, 404 and 422: those are typing errors, and the office's log records what matters. */
const REFUSED = new Set([400, 403, 405, 413, 415, 421, 429])

/** Of an address: the lines of an attack must not be as long as its requests. */
const MOST_LETTERS = 200

/**
 * Logs every refused request, most of them from unknown clients: a foreign origin, a form without its token, too
 * much, too often.
 */
export function logRefusals(log: Pick<Logger, 'warn'>): RequestHandler {
  return (request, response, next) => {
    response.once('finish', () => {
      const { statusCode: status, locals } = response
      if (!REFUSED.has(status)) return
      const { method, ip } = request
      const path = loggedPath(request.path).slice(0, MOST_LETTERS)
      log.warn({ status, method, path, ip, requestId: locals.requestId }, 'refused')
    })
    next()
  }
}
