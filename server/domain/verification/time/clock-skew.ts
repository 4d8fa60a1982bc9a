import { minutes } from '#server/domain/time.ts'

/** Clocks of signers and of authorities differ; by less than this, two times contradict each other in nothing. */
export const CLOCK_SKEW = minutes(5)
