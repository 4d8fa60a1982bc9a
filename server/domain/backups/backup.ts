import { z } from 'zod'
import { Instant } from '#server/domain/time.ts'
import { BackupId } from './backup-header.ts'

/** A finished backup. */
export const Backup = z.object({
  id: BackupId,
  /** Of the state that it holds. */
  madeAt: Instant,
  /** The backup on which it stands; null for a whole one. */
  since: BackupId.nullable(),
  /** `age1…`: the public key to which it is encrypted. */
  recipient: z.string(),
  /** Of the encrypted file. */
  bytes: z.int().nonnegative(),
  /** The stored files in it, without those of earlier backups. */
  files: z.int().nonnegative(),
  /** Stored files that the database names and that were not there. */
  missing: z.int().nonnegative(),
})
export type Backup = z.infer<typeof Backup>
