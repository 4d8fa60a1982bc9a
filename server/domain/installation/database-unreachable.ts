import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

/**
 * The database does not answer; `cause` says why. Not a `Problem`: code that takes a `Problem` for an answer about a document, a
 * mail or a provider must not take this for one. It does not copy the code or message of its cause, so that nothing takes it for an
 * error of a file or of a mail server.
 */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super('the database does not answer', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** Longer than a database takes to be back after a crash of its process. */
export const DATABASE_RETRY_AFTER = seconds(10)

/**
 * The refusal to show for an error: the error itself if it is a `Problem`, `database-unreachable` if the database does not answer,
 * undefined for a bug.
 */
export function problemIn(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof DatabaseUnreachable)) return undefined
  const options = { cause: error, retryAfter: DATABASE_RETRY_AFTER }
  return new Problem('database-unreachable', error.message, options)
}
