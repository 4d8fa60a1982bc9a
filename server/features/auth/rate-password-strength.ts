import { z } from 'zod'
import { findOpenActivation } from '#server/db/people/activations.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { RATINGS_FROM_NETWORK } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import {
  contextWords,
  flawOf,
  type PasswordWeakness,
  weaknessOf,
} from '#server/domain/identity/password.ts'
import type { UserId } from '#server/domain/ids.ts'
import { consumeNetworkAttempt } from '#server/steps/sign-ins/consume-network-attempt.ts'
import type { System } from '#server/system.ts'
import { wordsOf } from './require-strong-password.ts'
import { TypedPassword } from './typed-password.ts'

export const RatePasswordStrength = z.object({
  password: TypedPassword,
  /** The activation code of a user who has no session yet. */
  code: z.string().max(200).optional(),
  /** Other values of the form that must not be in the password. */
  words: z.array(z.string().max(300)).max(20).default([]),
})
export type RatePasswordStrength = z.input<typeof RatePasswordStrength>

export type RatedPassword = {
  /** 0 (guessed at once) to 4 (hard to guess); at least 3 is required. */
  score: 0 | 1 | 2 | 3 | 4
  /** Why it would be rejected; undefined if it would be accepted. */
  weakness: PasswordWeakness | undefined
}

/**
 * Rates a password by the rules that accept or reject it. Stores nothing.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function ratePasswordStrength(
  system: System,
  actor: Actor,
  input: RatePasswordStrength,
): Promise<RatedPassword> {
  const { password, code, words: typed } = RatePasswordStrength.parse(input)
  await consumeRatingAttempt(system, actor)
  const words = [...(await wordsFor(system, actor, code)), ...contextWords(typed)]
  const flaw = flawOf(password, words)
  if (flaw) return { score: flaw === 'own-words' ? 1 : 0, weakness: flaw }
  // Strangers may ask for many: a password that is about to be set goes first.
  const isPatient = actor.kind !== 'person'
  const rating = await system.passwords.rate(password, words, { isPatient })
  const weakness = weaknessOf(password, words, rating)
  return { score: weakness ? atMostTwo(rating.score) : rating.score, weakness }
}

/** Caps the score of a password that would be rejected. */
const atMostTwo = (score: RatedPassword['score']) => Math.min(score, 2) as 0 | 1 | 2

async function consumeRatingAttempt({ db, clock }: System, { ip }: Actor): Promise<void> {
  const ratings = { keyOf: throttleKeys.passwordRating, ip, policy: RATINGS_FROM_NETWORK }
  await consumeNetworkAttempt(db, ratings, clock.now())
}

async function wordsFor(system: System, actor: Actor, code: string | undefined) {
  const userId = actor.kind === 'person' ? actor.userId : await userOfLink(system, code)
  const user = userId ? await findUser(system.db, userId) : undefined
  return wordsOf(user && (await findOffice(system.db, user.officeId)), user)
}

async function userOfLink(
  { db, clock }: System,
  typed: string | undefined,
): Promise<UserId | null> {
  const code = ActivationCode.safeParse(typed)
  const activation = code.success ? await findOpenActivation(db, code.data, clock.now()) : undefined
  return activation?.userId ?? null
}
