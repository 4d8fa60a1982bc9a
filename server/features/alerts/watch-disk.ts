import { occasions } from '#server/domain/alerts/occasions.ts'
import {
  type DiskSpace,
  type DiskUse,
  isBelowFloor,
} from '#server/domain/installation/disk-floor.ts'
import { alertOffices } from '#server/steps/alerts/alert-offices.ts'
import type { System } from '#server/system.ts'

/** The most important first. */
const USES: readonly DiskUse[] = ['signature', 'upload', 'verification']

/**
 * Keeps room for events on the disk, and alerts the administrators of each office when files are refused because there
 * is too little: once a day for each use that is refused on a machine.
 */
export async function watchDisk({
  db,
  clock,
  disk,
  settings: { machine },
}: Pick<System, 'db' | 'clock' | 'disk' | 'settings'>): Promise<void> {
  await disk.keepReserve()
  const space = await disk.space()
  const refused = USES.find((use) => isBelowFloor(space, use))
  if (!refused) return
  const at = clock.now()
  const severity = refused === 'verification' ? 'warning' : 'danger'
  const facts = { machine, refused, ...shown(space) }
  await db.transaction((trx) =>
    alertOffices(trx, { kind: 'disk-low', severity, facts, at }, (officeId) =>
      occasions.diskLow(officeId, refused, machine, at),
    ),
  )
}

const shown = ({ free, total }: DiskSpace) => ({
  megabytes: Math.floor(free / 1024 ** 2),
  percent: Math.floor((100 * free) / total),
})
