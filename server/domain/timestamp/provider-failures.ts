import type { ServiceProviderId } from '#server/domain/ids.ts'
import { before, type Instant, minutes } from '#server/domain/time.ts'

/** Failed requests of one provider in a row, of all documents together. */
export type ProviderFailures = {
  providerId: ServiceProviderId
  count: number
  /** Of the first one. */
  since: Instant
  /** Of the last one that counted. */
  lastAt: Instant
}

/** Failures that follow each other faster are one: many signatures of one minute do not make an outage. */
export const FAILURES_APART = minutes(2)

/** Failures in a row after which the office is alerted. */
export const FAILURES_BEFORE_ALARM = 3

/** Whether a failure now counts as another one. */
export const isAnotherFailure = (last: ProviderFailures | undefined, now: Instant) =>
  !last || last.lastAt <= before(now, FAILURES_APART)
