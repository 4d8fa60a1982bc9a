import { type Duration, seconds } from './time.ts'

/** How fast the bytes of a request must come. */
export type BodyPace = {
  /** Longest wait for the next bytes. */
  readonly idle: Duration
  /** Bytes a second, on average, once `idle` has passed. */
  readonly slowest: number
}

/** A modem is faster, and a telephone in a tunnel is back by then. */
export const BODY_PACE: BodyPace = { idle: seconds(30), slowest: 1024 }

/** @param waited how long we waited for these bytes */
export const isTooSlow = (bytes: number, waited: number, { idle, slowest }: BodyPace): boolean =>
  waited > idle && (bytes * 1000) / waited < slowest
