import type { Instant } from '#server/domain/time.ts'
import type { Clock } from '#server/ports/clock.ts'

/** The clock of this machine. */
export const systemClock: Clock = { now: () => Date.now() as Instant }
