import { type Duration, milliseconds, minutes } from '#server/domain/time.ts'

/**
 * How often durations were seen, in classes: to the minute below an hour, and 2 % wide above. A class is known by its middle, so
 * that no percentile is further than 1 % (or half a minute) from the exact one, and the size does not grow with the number of durations.
 */
export type Durations = Record<string, number>

const EXACT = 60
const WIDTH = Math.log(1.02)

export function addDuration(durations: Durations, duration: Duration): void {
  const name = String(classOf(Math.max(0, duration) / minutes(1)))
  durations[name] = (durations[name] ?? 0) + 1
}

/**
 * The smallest duration that this share of all durations does not exceed (nearest rank); undefined without any.
 *
 * @param share above 0, up to 1: 0.5 is the median
 */
export function percentileOf(durations: Durations, share: number): Duration | undefined {
  const classes = Object.entries(durations)
    .map(([name, count]) => ({ place: Number(name), count }))
    .toSorted((one, other) => one.place - other.place)
  const rank = Math.ceil(share * countOf(durations))
  let seen = 0
  for (const { place, count } of classes) {
    seen += count
    if (seen >= rank) return milliseconds(Math.round(middleOf(place) * minutes(1)))
  }
  return undefined
}

export const countOf = (durations: Durations): number =>
  Object.values(durations).reduce((sum, count) => sum + count, 0)

const classOf = (time: number) =>
  time < EXACT ? Math.floor(time) : EXACT + Math.floor(Math.log(time / EXACT) / WIDTH)

/** In minutes. */
const middleOf = (place: number) =>
  place < EXACT ? place + 0.5 : EXACT * Math.exp((place - EXACT + 0.5) * WIDTH)
