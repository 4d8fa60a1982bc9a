import { readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second, whatever its own clock is. */
const TICK_MS = 10

/**
 * The processor time that a process has used, in milliseconds; infinite where the system does not tell, or if there is
 * no such process.
 *
 * @see proc(5), /proc/pid/stat: fields 14 and 15
 */
export function processorTimeOf(pid: number | undefined): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The second field is the program's name in parentheses, with any characters in it.
    const [, ...fields] = stat.slice(stat.lastIndexOf(')')).split(' ')
    return (Number(fields[11]) + Number(fields[12])) * TICK_MS
  } catch {
    return Number.POSITIVE_INFINITY
  }
}

/**
 * What a process used between two of these times, in milliseconds; infinite if either is not known, so that the clock
 * on the wall counts.
 *
 * @param before undefined for a process that started since
 */
export function timeSince(before: number | undefined, now: number): number {
  const isKnown = Number.isFinite(before ?? 0) && Number.isFinite(now)
  return isKnown ? now - (before ?? 0) : Number.POSITIVE_INFINITY
}
