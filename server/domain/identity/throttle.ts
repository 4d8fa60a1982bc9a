import {
  after,
  before,
  type Duration,
  EPOCH,
  hours,
  type Instant,
  minutes,
  seconds,
} from '#server/domain/time.ts'

/** How often something may be tried under one key. */
export type AttemptPolicy = {
  /** How many attempts are let through before one is refused. */
  readonly free: number
  /** Without `delay`, counted from the first attempt; with it, so long without an attempt forgets all. */
  readonly window: Duration
  /**
   * After the free attempts one more is let through after each wait, and each wait is twice as long as
   * the one before. Without it everything is refused until the window ends.
   */
  readonly delay?: { readonly first: Duration; readonly longest: Duration }
}

/** What is remembered of the attempts under one key. */
export type AttemptCount = {
  readonly windowStartedAt: Instant
  /** How many were let through. */
  readonly attempts: number
  /** How many were refused since one was let through. */
  readonly refused: number
  /** Nothing is let through before; in the past when nothing is blocked. */
  readonly blockedUntil: Instant
}

export type AttemptDecision =
  /** `attempts` counts those that were let through, this one included. */
  | { allowed: true; attempts: number }
  /** `isFirstRefusal` says when it is worth a line in the log: the flood after it would drown the log. */
  | { allowed: false; retryAfter: Duration; isFirstRefusal: boolean }

/** A browser with which this account has signed in before. */
export const KNOWN_DEVICE: AttemptPolicy = { free: 10, window: minutes(15) }

/** One account from one network, from browsers that it never came in with. */
export const ACCOUNT_FROM_NETWORK: AttemptPolicy = {
  free: 5,
  window: hours(1),
  delay: { first: seconds(30), longest: minutes(15) },
}

/** One account from everywhere: who owns many networks guesses no faster. Known browsers are not counted. */
export const ACCOUNT_FROM_ANYWHERE: AttemptPolicy = { free: 100, window: hours(1) }

/** An office of many people stands behind one address; those who get in are not counted. */
export const NETWORK: AttemptPolicy = { free: 100, window: minutes(15) }

/** Codes of links to come in, by network: they cannot be guessed, this spares the work. */
export const LINKS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(15) }

/** Calls of one program with an access token: a batch of documents takes three for each. */
export const CALLS_OF_TOKEN: AttemptPolicy = { free: 6000, window: minutes(15) }

/** Access tokens that open nothing, by network: they cannot be guessed, this spares the work. */
export const TOKENS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(15) }

/** Questions how good a password is, by network: each takes a moment of a processor. */
export const RATINGS_FROM_NETWORK: AttemptPolicy = { free: 300, window: minutes(15) }

/**
 * Second factors of one account from browsers with which it never signed in: the client knows the password, and a
 * code has only six digits.
 */
export const CODES_FROM_ANYWHERE: AttemptPolicy = { free: 20, window: hours(1) }

/** Proofs of who one is, where a session is asked for them again. */
export const PROOFS_OF_SESSION: AttemptPolicy = { free: 5, window: minutes(15) }

/** Wrong PINs of one token on the server: cards lock after three, and their owner has no other. */
export const WRONG_PINS_OF_TOKEN: AttemptPolicy = { free: 2, window: hours(24) }

/** Whether one more attempt at `at` passes, and what is remembered from then on. */
export function decideAttempt(
  count: AttemptCount | undefined,
  policy: AttemptPolicy,
  at: Instant,
): { count: AttemptCount; decision: AttemptDecision } {
  const current = count && !isForgotten(count, policy, at) ? count : untouched(at)
  const blockedUntil = endOfBlock(current, policy)
  return at < blockedUntil ? refuse(current, blockedUntil, at) : letThrough(current, policy, at)
}

function isForgotten(count: AttemptCount, { window, delay }: AttemptPolicy, at: Instant): boolean {
  const since = delay ? Math.max(count.windowStartedAt, count.blockedUntil) : count.windowStartedAt
  return since <= before(at, window)
}

const untouched = (at: Instant): AttemptCount => ({
  windowStartedAt: at,
  attempts: 0,
  refused: 0,
  blockedUntil: EPOCH,
})

function endOfBlock(count: AttemptCount, { free, window, delay }: AttemptPolicy): Instant {
  if (delay) return count.blockedUntil
  return count.attempts < free ? EPOCH : after(count.windowStartedAt, window)
}

function refuse(count: AttemptCount, blockedUntil: Instant, at: Instant) {
  const retryAfter = (blockedUntil - at) as Duration
  return {
    count: { ...count, refused: count.refused + 1, blockedUntil },
    decision: { allowed: false as const, retryAfter, isFirstRefusal: count.refused === 0 },
  }
}

function letThrough(count: AttemptCount, { free, delay }: AttemptPolicy, at: Instant) {
  const attempts = count.attempts + 1
  const isBlocking = delay !== undefined && attempts >= free
  return {
    count: {
      windowStartedAt: delay ? at : count.windowStartedAt,
      attempts,
      refused: 0,
      blockedUntil: isBlocking ? after(at, waitAfter(attempts - free, delay)) : count.blockedUntil,
    },
    decision: { allowed: true as const, attempts },
  }
}

/* 30 s, 1 min, 2 min … */
function waitAfter(turn: number, delay: { first: Duration; longest: Duration }): Duration {
  return Math.min(delay.first * 2 ** Math.min(turn, 30), delay.longest) as Duration
}
