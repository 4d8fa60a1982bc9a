import type { BackupId } from '#server/domain/backups/backup-header.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'

/** In the order of time: `20261120T150500Z-….manifest`. */
export const manifestName = (madeAt: Instant, id: BackupId) =>
  `${toTimestamp(madeAt).replace(/[-:]|\.\d+/g, '')}-${id.slice(0, 8)}.manifest`
