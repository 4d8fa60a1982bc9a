import { setTimeout as pause } from 'node:timers/promises'
import { Problem, type ProblemCode } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'

const PAUSE = seconds(0.5)

/**
 * Retries every half second while another signer holds the document: both halves of a signature on the server
 * run in one request, which waits for its turn.
 *
 * @param taken the problems to retry
 * @param attempts the total number of attempts
 * @throws {Problem} the error of the last attempt
 */
export async function retryWhileTaken<T>(
  attempt: () => Promise<T>,
  { taken, attempts }: { taken: readonly ProblemCode[]; attempts: number },
): Promise<T> {
  for (let left = attempts - 1; ; left -= 1) {
    try {
      return await attempt()
    } catch (error) {
      const isTaken = error instanceof Problem && taken.includes(error.code)
      if (!isTaken || left <= 0) throw error
      await pause(PAUSE)
    }
  }
}
