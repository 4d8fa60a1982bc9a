import { Problem } from '#server/domain/problem.ts'

/**
 * Repeats work of a PDF worker that ran out of time, once: on a busy machine that says nothing about the file, and
 * what is found about a file is kept.
 */
export async function onceMore<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'timed-out') throw error
    return await work()
  }
}
