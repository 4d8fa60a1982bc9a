import type { BackupId } from '#server/domain/backups/backup-header.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'

/** Sorted by time: `20261120T150500.000Z-….manifest`. `ls` and `tail` find the last one for the next `--since`. */
export const manifestName = (madeAt: Instant, id: BackupId) =>
  `${toTimestamp(madeAt).replace(/[-:]/g, '')}-${id.slice(0, 8)}.manifest`
