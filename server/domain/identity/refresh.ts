import { z } from 'zod'
import { after, type Instant, minutes, seconds } from '#server/domain/time.ts'

/** How long an access token opens the session before the refresh token is exchanged. */
export const ACCESS_LIFETIME = minutes(10)

/** For so long after it was replaced a refresh token still yields its successor. */
export const REFRESH_GRACE = seconds(30)

/** Why a session got new tokens: `step-up` is every proof of who one is after the sign-in. */
export const RotationCause = z.enum(['sign-in', 'refresh', 'step-up'])
export type RotationCause = z.infer<typeof RotationCause>

/** The tokens that a session had at one time. */
export type Generation = {
  /** Counts from 1. */
  number: number
  cause: RotationCause
  /** When the next generation came; null for the current one. */
  replacedAt: Instant | null
  /** When a request first carried its access token: then the browser has certainly got it. */
  usedAt: Instant | null
}

export type RefreshJudgement =
  /** The newest token: the session gets the next generation. */
  | 'rotate'
  /** Another tab was faster, or an answer was lost: the current generation once more. */
  | 'repeat'
  /** A request that was on its way while the person proved who they are: refused, without alarm. */
  | 'superseded'
  /** Replaced long ago: the token was copied. */
  | 'reuse'

/**
 * What a refresh token of a live session is worth.
 *
 * @param presented the generation of the token that came
 * @param later all that came after it, oldest first
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
  const isDerivable = later.every(({ cause }) => cause === 'refresh')
  if (!isDerivable) return isInGrace ? 'superseded' : 'reuse'
  const isAnswerLost = later.length === 1 && next.usedAt === null
  return isInGrace || isAnswerLost ? 'repeat' : 'reuse'
}
