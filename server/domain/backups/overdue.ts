import { after, type Duration, days, type Instant } from '#server/domain/time.ts'

/** A new installation has so long to get its first backup, or less if backups are wanted more often. */
const FIRST_BACKUP = days(3)

/** Clocks of several machines differ by less; a backup that is later still was made while a clock was wrong. */
export const MOST_AHEAD = days(1)

/**
 * When the office is to be warned.
 *
 * @param last when the last backup was made; undefined if there is none
 * @param since when the first office was set up
 * @param age how old a backup may be
 */
export function backupDueAt(last: Instant | undefined, since: Instant, age: Duration): Instant {
  if (last !== undefined) return after(last, age)
  return after(since, FIRST_BACKUP < age ? FIRST_BACKUP : age)
}
