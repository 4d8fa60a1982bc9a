import type { MiddlewareFunction } from 'react-router'
import { drain } from './body.ts'

/**
 * Answers once all was read that was sent: whoever is told no while a large file still comes would see a broken
 * connection instead.
 */
export const hearOut: MiddlewareFunction<Response> = async ({ request }, next) => {
  const response = await next()
  if (!request.bodyUsed) await drain(request)
  return response
}
