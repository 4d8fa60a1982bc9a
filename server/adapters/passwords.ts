import { hash, verify } from '@node-rs/argon2'
import { Problem } from '#server/domain/problem.ts'
import type { Passwords } from '#server/system.ts'

/** What one hash costs. */
export type PasswordCost = {
  /** In KiB. */
  readonly memory: number
  readonly passes: number
}

/** @see OWASP Password Storage Cheat Sheet, Argon2id: m=19 MiB, t=2, p=1 */
const RECOMMENDED: PasswordCost = { memory: 19_456, passes: 2 }

/* Hashing shares four threads with the file system; a longer queue than this is an attack. */
const AT_ONCE = 4
const MOST_WAITING = 64

/**
 * Passwords as Argon2id PHC strings, normalised (NFKC) so that every keyboard types the same "ñ". At most
 * four are computed at once.
 *
 * Both functions throw `too-many-attempts` when too many wait already.
 */
export async function createPasswords(cost: PasswordCost = RECOMMENDED): Promise<Passwords> {
  const queue = createQueue()
  const options = { memoryCost: cost.memory, timeCost: cost.passes, parallelism: 1 }
  // Of an unknown account this is checked instead: the answer takes as long and is never yes.
  const nobody = await hash(crypto.randomUUID(), options)

  return {
    hash: (password) => queue(() => hash(password.normalize('NFKC'), options)),
    verify: (stored, password) =>
      queue(async () => {
        const isRight = await isPasswordOf(stored ?? nobody, password.normalize('NFKC'))
        return isRight && stored !== undefined
      }),
  }
}

/* The library throws for a string that is no hash; nobody has such a password. */
async function isPasswordOf(stored: string, password: string): Promise<boolean> {
  try {
    return await verify(stored, password)
  } catch {
    return false
  }
}

function createQueue() {
  let running = 0
  const waiting: (() => void)[] = []

  return async function queued<T>(work: () => Promise<T>): Promise<T> {
    if (waiting.length >= MOST_WAITING)
      throw new Problem('too-many-attempts', `${waiting.length} passwords wait to be hashed`)
    // A place is handed over directly, so that nobody slips in between.
    if (running >= AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
