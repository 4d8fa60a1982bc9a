import { isAbortedTransactionError } from 'kysely'
import { DATABASE_RETRY_AFTER } from '#server/domain/installation/database-unreachable.ts'
import { Problem } from '#server/domain/problem.ts'
import { sqlStateOf } from './postgres-dialect.ts'

/**
 * Runs a transaction, and says so if its end is unknown: what commits it was sent, and the connection was lost before the
 * answer. The database has then either committed all or nothing, and must not be given the transaction again.
 *
 * @param run calls `commits` once nothing is left but what commits
 * @throws {Problem} `commit-unknown`
 */
export async function withKnownEnd<T>(run: (commits: () => void) => Promise<T>): Promise<T> {
  let isCommitting = false
  try {
    return await run(() => {
      isCommitting = true
    })
  } catch (error) {
    if (!isCommitting || isRolledBack(error)) throw error
    throw new Problem('commit-unknown', 'the connection was lost during a commit', {
      cause: error,
      retryAfter: DATABASE_RETRY_AFTER,
    })
  }
}

/**
 * Classes of errors that may come after a commit: the connection or the server ends (08, 57P), the system or the database
 * itself failed (58, XX).
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const UNCERTAIN = /^(?:08|57P|58|XX)/

function isRolledBack(error: unknown): boolean {
  if (isAbortedTransactionError(error)) return true
  const state = sqlStateOf(error)
  return state !== undefined && !UNCERTAIN.test(state)
}
