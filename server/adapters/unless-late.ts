import { Problem } from '#server/domain/problem.ts'

/**
 * The value of the work; undefined if the signal comes first, or if the work is refused because it is too large or
 * there is too much of it. The work itself goes on.
 */
export async function unlessLate<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  const { promise: late, resolve } = Promise.withResolvers<undefined>()
  const end = () => resolve(undefined)
  if (signal.aborted) end()
  signal.addEventListener('abort', end, { once: true })
  try {
    return await Promise.race([work, late])
  } catch (error) {
    if (error instanceof Problem) return undefined
    throw error
  } finally {
    signal.removeEventListener('abort', end)
    // After the signal its failure would be an unhandled rejection.
    work.catch(() => undefined)
  }
}
