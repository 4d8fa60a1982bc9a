import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

/**
 * The database does not answer; `cause` says how. No refusal of a use case: what treats a `Problem` as an answer about a document, a
 * mail or a provider must not take this for one. Has neither the code nor the words of its cause, by which others know their own errors.
 */
export class DatabaseUnreachable extends Error {
  constructor(cause: Error) {
    super('the database does not answer', { cause })
    this.name = 'DatabaseUnreachable'
  }
}

/** Longer than a database takes to be back after a crash of its process. */
const RETRY_AFTER = seconds(10)

/** The error as a `Problem` if it is one, or says that the database does not answer: where it is told. */
export function problemIn(error: unknown): Problem | undefined {
  if (error instanceof Problem) return error
  if (!(error instanceof DatabaseUnreachable)) return undefined
  const options = { cause: error, retryAfter: RETRY_AFTER }
  return new Problem('database-unreachable', error.message, options)
}
