import { z } from 'zod'
import { OfficeId } from '#server/domain/ids.ts'
import { Instant } from '#server/domain/time.ts'

/**
 * The positions that each log has in the numbering of all events: far more than it ever has events. A power of two, so that
 * the subtrees of each log begin where those of the numbering do.
 */
const ROOM = 2 ** 40

/** A log of the installation. */
export const Log = z.object({
  /** 0 for the log with which the installation began. */
  number: z.int().nonnegative(),
  /** Random: the key of the log is derived from it, and no two logs may have one key. */
  id: z.uuid(),
  /** Null for the log of the installation, which has the events of offices without a log of their own, too. */
  officeId: OfficeId.nullable(),
  /** The log that it continues for its office; null if it continues none. */
  follows: z.int().nonnegative().nullable(),
  openedAt: Instant.nullable(),
  /** Null while events are appended. */
  closedAt: Instant.nullable(),
})
export type Log = z.infer<typeof Log>

/** Which log. */
export type LogNumber = Log['number']

/** The log with which the installation began, and its only one while there is one office. */
export const FIRST_LOG: LogNumber = 0

/** A place in the numbering of all events of all logs. Later events of one log have higher positions. */
export type LogPosition = number

/** @param seq counts the events of the log from 0 */
export const positionOf = (log: LogNumber, seq: number): LogPosition => log * ROOM + seq

export const seqAt = (position: LogPosition): number => position % ROOM

export const logAt = (position: LogPosition): LogNumber => Math.floor(position / ROOM)

/** The position behind the last one that the log can have. */
export const behindLog = (log: LogNumber): LogPosition => positionOf(log + 1, 0)
