import type { OfficeId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A row of an order by time: where the next ones begin. */
export type TimedRow<Id extends string | number = string> = { at: Instant; id: Id }

/** The rows of an office in a period, by time and id, that follow a row; both ends of the period belong to it. */
export type Stretch<Id extends string | number = string> = {
  officeId: OfficeId
  from: Instant
  to: Instant
  /** The last of the rows before. */
  behind: TimedRow<Id> | undefined
  limit: number
}
