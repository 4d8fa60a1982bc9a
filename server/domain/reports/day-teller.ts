import { type Day, dayOf, endOfDay, startOfDay } from '#server/domain/day.ts'
import type { Instant } from '#server/domain/time.ts'

/** As `monthTeller`, for days. */
export function dayTeller(timeZone: string): (at: Instant) => Day {
  let known: { day: Day; begins: Instant; ends: Instant } | undefined
  return (at) => {
    if (!known || at < known.begins || at > known.ends) {
      const day = dayOf(at, timeZone)
      known = { day, begins: startOfDay(day, timeZone), ends: endOfDay(day, timeZone) }
    }
    return known.day
  }
}
