import type { RequestHandler } from 'express'

/**
 * Extends the content security policy of the answer by what Vite's client needs: its web socket, and the worker
 * in which it waits while the server restarts. The rest stays as strict as in production, so that developers see
 * a violation while they write it.
 */
export const developmentPolicy: RequestHandler = (request, response, next) => {
  const policy = String(response.getHeader('Content-Security-Policy'))
  const sources = `connect-src 'self' ws://${request.headers.host}; worker-src blob:`
  response.setHeader('Content-Security-Policy', policy.replace("connect-src 'self'", sources))
  next()
}
