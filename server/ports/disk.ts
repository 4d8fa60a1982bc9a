import type { DiskSpace } from '#server/domain/installation/disk-floor.ts'

/** The disk of the data folder. */
export type Disk = {
  space(): Promise<DiskSpace>
  /**
   * Keeps some room aside, if there is enough: a file that `spendReserve` removes. Harmless to repeat.
   */
  keepReserve(): Promise<void>
  /** Gives the room that was kept aside to whatever writes next. Returns whether there was any. */
  spendReserve(): boolean
}
