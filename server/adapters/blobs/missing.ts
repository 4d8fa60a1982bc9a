/** Between two threads an error keeps its message only. */
export const isMissing = (error: unknown): boolean =>
  error instanceof Error && /\bENOENT\b/.test(error.message)

/** @throws every other error */
export function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
  return undefined
}

/** The same error for a file that is not in a store without folders. */
export const missingFile = (place: string): Error =>
  Object.assign(new Error(`ENOENT: there is no ${place}`), { code: 'ENOENT' })
