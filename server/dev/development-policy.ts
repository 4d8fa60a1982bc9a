import type { RequestHandler } from 'express'

/**
 * Adds to the policy of the answer what Vite's client needs: the socket that tells of changes, and the worker in
 * which it waits for a server that starts again. Everything else stays as strict as in production, so that what the
 * policy forbids is seen while it is written.
 */
export const developmentPolicy: RequestHandler = (request, response, next) => {
  const policy = String(response.getHeader('Content-Security-Policy'))
  const sources = `connect-src 'self' ws://${request.headers.host}; worker-src 'self' blob:`
  response.setHeader('Content-Security-Policy', policy.replace("connect-src 'self'", sources))
  next()
}
