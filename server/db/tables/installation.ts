import type { Instant } from '#server/domain/time.ts'

/** The one row says which process runs the recurring jobs. */
export type JobLeaderRow = {
  id: number
  /** Null when the last one ended in good order. */
  holder: string | null
  /** Grows while the holder is alive. */
  beat: number
}

/** When a recurring job with a long interval last ended well. */
export type JobRunRow = {
  job: string
  ended_at: Instant
}

/** The one row says which releases may run on this database. */
export type SchemaRangeRow = {
  id: number
  /** The last step of the oldest one. */
  oldest_step: string
}
