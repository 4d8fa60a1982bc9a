import { availableParallelism } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { hash, hashRaw, parseOptions, verify } from '@node-rs/argon2'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { Passwords } from '#server/ports/passwords.ts'
import { createPasswordRating } from './password-rating.ts'
import { createQueue } from './queue.ts'

/** What one hash costs. */
export type PasswordCost = {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
}

/** @see OWASP Password Storage Cheat Sheet, Argon2id: m=19 MiB, t=2, p=1 */
const RECOMMENDED: PasswordCost = { memory: 19_456, passes: 2 }

/** Hashes computed at a time: they share their threads with the file system and the processors with every page. */
export const AT_ONCE = Math.min(3, Math.max(1, availableParallelism() - 1))
/** More waiting hashes are an attack: the last client would wait longer than a person does. */
export const MOST_WAITING = 64
/** Sign-ins from unknown devices under way: each writes, and holds up the pages of users. */
export const MOST_STRANGERS = 32
/**
 * A refused stranger waits so long for the answer, or up to twice as long, so that not all come back at once. An
 * immediate answer would cost more time than the hash that it saves.
 */
export const PAUSE_IN_CROWD = seconds(2)

/* One thread a process: its dictionaries are large. */
const rate = createPasswordRating()

/**
 * Passwords as Argon2id PHC strings, normalised (NFKC) so that every keyboard types the same "ñ".
 *
 * Whatever computes a hash throws `too-many-attempts` when too many wait already.
 */
export async function createPasswords(cost: PasswordCost = RECOMMENDED): Promise<Passwords> {
  const { inTurn } = createQueue({
    name: 'password-hashes',
    places: AT_ONCE,
    waiting: MOST_WAITING,
    patientWaiting: MOST_STRANGERS,
  })
  let strangers = 0
  const options = { memoryCost: cost.memory, timeCost: cost.passes, parallelism: 1 }
  // Checked in place of the hash of an unknown account: the answer takes as long and is never yes.
  const unmatchable = await hash(crypto.randomUUID(), options)

  return {
    hash: (password) => inTurn(() => hash(password.normalize('NFKC'), options)),
    verify: (stored, password, options) =>
      inTurn(async () => {
        const isRight = await isPasswordOf(stored ?? unmatchable, password.normalize('NFKC'))
        return isRight && stored !== undefined
      }, options),
    async amongStrangers(attempt) {
      if (strangers >= MOST_STRANGERS) {
        await pause(PAUSE_IN_CROWD * (1 + Math.random()))
        throw new Problem('too-many-attempts', `passwords: ${strangers} strangers try already`, {
          retryAfter: seconds(5),
          kind: 'crowd',
        })
      }
      strangers += 1
      try {
        return await attempt()
      } finally {
        strangers -= 1
      }
    },
    isOutdated: (stored) => isOfOtherCost(stored, cost),
    rate,
    derive: (secret, salt) =>
      inTurn(async () => new Uint8Array(await hashRaw(secret, { ...options, salt }))),
  }
}

/* The library throws for a string that is no hash; no password matches one. */
async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password)
  } catch {
    return false
  }
}

function isOfOtherCost(stored: string, cost: PasswordCost): boolean {
  try {
    const { memoryCost, timeCost, parallelism } = parseOptions(stored)
    return memoryCost !== cost.memory || timeCost !== cost.passes || parallelism !== 1
  } catch {
    return true
  }
}
