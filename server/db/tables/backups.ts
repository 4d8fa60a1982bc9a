import type { Instant } from '#server/domain/time.ts'

export type BackupRow = {
  id: string
  /** Of the state that it holds. */
  made_at: Instant
  /** Null for a whole backup. */
  since_id: string | null
  /** `age1…` */
  recipient: string
  /** Of the encrypted file. */
  bytes: number
  /** The stored files in it, without those of earlier backups. */
  files: number
  /** Stored files that the database names and that were not there. */
  missing: number
}
