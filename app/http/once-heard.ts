import type { MiddlewareFunction } from 'react-router'
import { hearOutContext } from './context.ts'

/**
 * Responds after the whole request body is read: a client that is still uploading would otherwise see a
 * broken connection instead of the refusal.
 */
export const onceHeard: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  await context.get(hearOutContext)()
  return response
}
