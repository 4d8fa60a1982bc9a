import { listOffices } from '#server/db/people/offices.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import {
  type DiskSpace,
  type DiskUse,
  isBelowFloor,
} from '#server/domain/installation/disk-floor.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

/** The most important first. */
const USES: readonly DiskUse[] = ['signature', 'upload', 'verification']

/**
 * Keeps room for events on the disk, and alerts the administrators of each office when files are refused because there
 * is too little: once a day for each use that is refused.
 */
export async function watchDisk({
  db,
  clock,
  disk,
}: Pick<System, 'db' | 'clock' | 'disk'>): Promise<void> {
  await disk.keepReserve()
  const space = await disk.space()
  const refused = USES.find((use) => isBelowFloor(space, use))
  if (!refused) return
  const at = clock.now()
  await db.transaction(async (trx) => {
    for (const { id: officeId } of await listOffices(trx))
      await raiseAlert(trx, {
        officeId,
        userId: null,
        kind: 'disk-low',
        severity: refused === 'verification' ? 'warning' : 'danger',
        facts: { refused, ...shown(space) },
        occasion: occasions.diskLow(officeId, refused, at),
        at,
      })
  })
}

const shown = ({ free, total }: DiskSpace) => ({
  megabytes: Math.floor(free / 1024 ** 2),
  percent: Math.floor((100 * free) / total),
})
