import { errors } from '#app/messages/errors.ts'
import type { Toast } from './state.ts'

/**
 * Returns the specification's notice for each status but 401.
 *
 * @param status 0 without a connection
 */
export function noticeOf(status: number): Pick<Toast, 'type' | 'message'> {
  if (status === 0) return { type: 'error', message: errors.connection }
  if (status === 403) return { type: 'warning', message: errors.forbidden }
  if (status === 404) return { type: 'warning', message: errors.notFound }
  if (status === 500) return { type: 'error', message: errors.server }
  return { type: 'error', message: errors.unexpected }
}
