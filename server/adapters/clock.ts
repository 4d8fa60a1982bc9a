import { instantOf } from '#server/domain/time.ts'
import type { Clock } from '#server/ports/clock.ts'

/** The clock of this machine. */
export const systemClock: Clock = { now: () => instantOf(Date.now()) }
