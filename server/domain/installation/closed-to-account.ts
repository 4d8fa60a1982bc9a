/** Files and folders of another account, or on a file system that is mounted read-only. */
const CLOSED = new Set<unknown>(['EACCES', 'EPERM', 'EROFS'])

/** Whether the account of this process may not use a file, which the error names. */
export const isClosedToAccount = (
  error: unknown,
): error is Error & { code: string; path: string } =>
  error instanceof Error &&
  'code' in error &&
  CLOSED.has(error.code) &&
  'path' in error &&
  typeof error.path === 'string'
