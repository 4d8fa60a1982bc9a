import { z } from 'zod'
import { after, type Instant, minutes, seconds } from '#server/domain/time.ts'

/** How long an access token opens the session before the refresh token is exchanged. */
export const ACCESS_LIFETIME = minutes(10)

/** How long a replaced refresh token still yields its successor. */
export const REFRESH_GRACE = seconds(30)

/** The most newer generations that are looked at; no browser refreshes so often during the grace. */
export const MOST_LATER = 200

/** Why a session got new tokens: `step-up` is any authentication after sign-in. */
export const RotationCause = z.enum(['sign-in', 'refresh', 'step-up'])
export type RotationCause = z.infer<typeof RotationCause>

/** The tokens that a session had at one time. */
export type Generation = {
  /** Counts from 1. */
  number: number
  cause: RotationCause
  /** When it was replaced; null for the current one. */
  replacedAt: Instant | null
  /** When its access token was first used, which proves that the browser received it. */
  usedAt: Instant | null
}

export type RefreshJudgement =
  /** The newest token: the session gets the next generation. */
  | 'rotate'
  /** Another tab was first, or a response was lost: the current generation again. */
  | 'repeat'
  /** The request was sent before a step-up completed: refused, without alarm. */
  | 'superseded'
  /** Replaced long ago: the token was copied. */
  | 'reuse'

/**
 * Decides about a refresh token of a live session.
 *
 * @param presented the generation of the presented token
 * @param later all newer generations, or the first `MOST_LATER` of them, oldest first
 * @see RFC 9700, 4.14.2, refresh token rotation
 */
export function judgeRefresh(
  presented: Generation,
  later: readonly Generation[],
  now: Instant,
): RefreshJudgement {
  const [next] = later
  if (!next) return 'rotate'
  const isInGrace =
    presented.replacedAt !== null && now < after(presented.replacedAt, REFRESH_GRACE)
  const isDerivable = later.length < MOST_LATER && later.every(({ cause }) => cause === 'refresh')
  if (!isDerivable) return isInGrace ? 'superseded' : 'reuse'
  const isAnswerLost = later.length === 1 && next.usedAt === null
  return isInGrace || isAnswerLost ? 'repeat' : 'reuse'
}
