import type { RequestHandler } from 'express'
import type { Logger } from 'pino'

/** Not 401, 404 and 422: whoever mistypes refuses themself nothing, and what matters of it is in the office's log. */
const REFUSED = new Set([400, 403, 405, 413, 415, 421, 429])

/**
 * Writes a line for every request that is turned away, most of them before anybody knows whose they are: a
 * foreign origin, a form without its token, too much, too often.
 */
export function logRefusals(log: Pick<Logger, 'warn'>): RequestHandler {
  return (request, response, next) => {
    response.once('finish', () => {
      const { statusCode: status, locals } = response
      if (!REFUSED.has(status)) return
      const { method, path, ip } = request
      log.warn({ status, method, path, ip, requestId: locals.requestId }, 'refused')
    })
    next()
  }
}
