/** In bytes. */
export type DiskSpace = {
  /** Without what is kept for events. */
  free: number
  total: number
}

/** What needs room, the least important first. Reading and sign-in have no floor. */
export type DiskUse = 'verification' | 'upload' | 'signature'

const GIGABYTE = 1024 ** 3

/** Below it a use is refused: the share of a small disk, or so many bytes of a large one. */
export const DISK_FLOORS: Record<DiskUse, { percent: number; most: number }> = {
  verification: { percent: 10, most: 2 * GIGABYTE },
  upload: { percent: 5, most: GIGABYTE },
  signature: { percent: 1, most: GIGABYTE / 4 },
}

/** Of files and of the database, for the events of sign-ins and reading when the disk is full. */
export const DISK_RESERVE = 16 * 1024 ** 2

/** Of files, of SQLite, and of PostgreSQL. @see https://www.postgresql.org/docs/current/errcodes-appendix.html */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', 'SQLITE_IOERR_SHMSIZE', '53100'])

/** Whether writing failed because the disk is full, or the share of this account. */
export const isOutOfSpace = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && FULL.has(String(error.code))

/** Whether there is too little room for this use. */
export function isBelowFloor({ free, total }: DiskSpace, use: DiskUse): boolean {
  const { percent, most } = DISK_FLOORS[use]
  return free < Math.min((total * percent) / 100, most)
}

/** A document of 200 MB with its signatures, ten times. */
const LEAST_FREE = 2 * GIGABYTE
const LEAST_PERCENT = 5

/** Whether to say that room is scarce, long before anything is refused on a large disk. */
export const isScarce = ({ free, total }: DiskSpace): boolean =>
  free < LEAST_FREE || (100 * free) / total < LEAST_PERCENT
