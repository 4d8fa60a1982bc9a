import {
  after,
  before,
  type Duration,
  EPOCH,
  earliest,
  hours,
  type Instant,
  minutes,
  seconds,
} from '#server/domain/time.ts'

/** A rate limit for one key. */
export type AttemptPolicy = {
  /** Attempts allowed before the first refusal. */
  readonly free: number
  /**
   * Without `delay`, the window starts at the first attempt; with it, the count resets after this long without
   * attempts.
   */
  readonly window: Duration
  /**
   * After the free attempts, allows one more after each wait, and doubles the wait each time. Without it,
   * refuses everything until the window ends.
   */
  readonly delay?: { readonly first: Duration; readonly longest: Duration }
}

/** The count of one key. */
export type AttemptCount = {
  readonly windowStartedAt: Instant
  /** Attempts that were allowed. */
  readonly attempts: number
  /** Refusals since the last allowed attempt. */
  readonly refused: number
  /** Refuses attempts until then; in the past if nothing is blocked. */
  readonly blockedUntil: Instant
}

export type AttemptDecision =
  /** `attempts`: allowed attempts, including this one. */
  | { allowed: true; attempts: number }
  /** `isFirstRefusal`: whether to log it; logging all would drown the log. */
  | { allowed: false; retryAfter: Duration; isFirstRefusal: boolean }

/** A browser with which this account has signed in before. */
export const KNOWN_DEVICE: AttemptPolicy = { free: 10, window: minutes(15) }

/** One account from one network, by browsers new to the account. */
export const ACCOUNT_FROM_NETWORK: AttemptPolicy = {
  free: 5,
  window: hours(1),
  delay: { first: seconds(30), longest: minutes(15) },
}

/**
 * One account from all networks, so that more networks give no more guesses. Known browsers are not counted.
 */
export const ACCOUNT_FROM_ANYWHERE: AttemptPolicy = { free: 100, window: hours(1) }

/** Many users of an office share one address; successful sign-ins are not counted. */
export const NETWORK: AttemptPolicy = { free: 100, window: minutes(15) }

/** Link codes, by network: they cannot be guessed, this saves work. */
export const LINKS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(15) }

/** Calls of one program with an access token: each document of a batch takes three. */
export const CALLS_OF_TOKEN: AttemptPolicy = { free: 6000, window: minutes(15) }

/** Invalid access tokens, by network: they cannot be guessed, this saves work. */
export const TOKENS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(15) }

/** Addresses of calendars that do not exist, by network: they cannot be guessed, this saves work. */
export const CALENDARS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(15) }

/** Reads of one calendar: its owner has it on several devices, each of which asks every few minutes. */
export const READS_OF_CALENDAR: AttemptPolicy = { free: 60, window: minutes(15) }

/**
 * Verifications by the public, of one kind, by network. Many users of a registry or a bank share one address;
 * guessing codes would need far more attempts than this.
 */
export const VERIFICATIONS_FROM_NETWORK: AttemptPolicy = { free: 60, window: minutes(10) }

/** Pictures of pages on the public page, by network: a person leafs through a deed, a program copies an archive. */
export const PUBLIC_PAGES_FROM_NETWORK: AttemptPolicy = { free: 300, window: minutes(10) }

/** Password ratings, by network: each takes some processor time. */
export const RATINGS_FROM_NETWORK: AttemptPolicy = { free: 300, window: minutes(15) }

/**
 * Second factors of one account from browsers with which it never signed in: the client knows the password, and a
 * code has only six digits.
 */
export const CODES_FROM_ANYWHERE: AttemptPolicy = { free: 20, window: hours(1) }

/** Step-ups of a session. */
export const PROOFS_OF_SESSION: AttemptPolicy = { free: 5, window: minutes(15) }

/** Codes typed by an external signer who rejects. */
export const REJECTION_CODES: AttemptPolicy = { free: 5, window: minutes(15) }

/** E.firmas with which an external signer rejects: they cannot be guessed, but each failed one is an event of the log. */
export const REJECTION_EFIRMAS: AttemptPolicy = { free: 10, window: minutes(15) }

/** Mails with such a code to one signer: a person with a forwarded link could fill their mailbox. */
export const REJECTION_MAILS: AttemptPolicy = { free: 5, window: hours(1) }

/** Test mails of an office: each is a connection to a server that an administrator named. */
export const TEST_MAILS: AttemptPolicy = { free: 10, window: hours(1) }

/** Wrong PINs of one token on the server: cards lock after three, and the owner has no other. */
export const WRONG_PINS_OF_TOKEN: AttemptPolicy = { free: 2, window: hours(24) }

/** Decides about an attempt at `at`, and returns the new count. */
export function decideAttempt(
  count: AttemptCount | undefined,
  policy: AttemptPolicy,
  at: Instant,
): { count: AttemptCount; decision: AttemptDecision } {
  const known = count && notLater(count, policy, at)
  const current = known && !isForgotten(known, policy, at) ? known : noAttempts(at)
  const blockedUntil = endOfBlock(current, policy)
  return at < blockedUntil ? refuse(current, blockedUntil, at) : allow(current, policy, at)
}

/** A clock that was ahead, and is set back, would otherwise block for as long as it was wrong. */
function notLater(count: AttemptCount, { window, delay }: AttemptPolicy, at: Instant) {
  const longest = after(at, delay?.longest ?? window)
  return {
    ...count,
    windowStartedAt: earliest(count.windowStartedAt, at),
    blockedUntil: earliest(count.blockedUntil, longest),
  }
}

function isForgotten(count: AttemptCount, { window, delay }: AttemptPolicy, at: Instant): boolean {
  const since = delay ? Math.max(count.windowStartedAt, count.blockedUntil) : count.windowStartedAt
  return since <= before(at, window)
}

const noAttempts = (at: Instant): AttemptCount => ({
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

function allow(count: AttemptCount, { free, delay }: AttemptPolicy, at: Instant) {
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
