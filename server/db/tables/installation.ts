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

/** The one row says which store has the files. */
export type FileStoreRow = {
  id: number
  store_id: string
  /** Null until the store was seen to have the id. */
  confirmed_at: Instant | null
}

export type KeyFingerprintRow = {
  /** Of the file of the key. */
  name: string
  fingerprint: Uint8Array
}
