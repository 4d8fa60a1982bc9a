import type { MiddlewareFunction } from 'react-router'
import { hearOutContext } from './context.ts'

/**
 * Answers once all was read that was sent: whoever is told no while a large file still comes would see a broken
 * connection instead.
 */
export const onceHeard: MiddlewareFunction<Response> = async ({ context }, next) => {
  const response = await next()
  await context.get(hearOutContext)()
  return response
}
