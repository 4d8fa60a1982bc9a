import type { MiddlewareFunction } from 'react-router'
import { drainContext } from './context.ts'

/**
 * Responds after the whole request body is read: a client that is still uploading would otherwise see a
 * broken connection instead of the refusal.
 */
export const drainBody: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  await context.get(drainContext)()
  return response
}
