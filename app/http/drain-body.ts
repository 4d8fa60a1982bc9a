import type { MiddlewareFunction } from 'react-router'
import { drainContext } from './context.ts'

/**
 * Responds after the whole request body is read: a client that is still uploading would otherwise see a
 * broken connection instead of the refusal. One that stalls is told so at once, and the connection is closed.
 */
export const drainBody: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  if (response.status === REQUEST_TIMEOUT) response.headers.set('Connection', 'close')
  else await context.get(drainContext)()
  return response
}

const REQUEST_TIMEOUT = 408
