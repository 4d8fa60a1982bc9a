import { type Digest, digestOfPlatform } from './pkcs12-derivation.ts'

/**
 * The budget for deriving keys from the password of one file. The maker of the file decides how many derivations
 * there are and how slow each one is.
 */
export type DerivationWork = {
  roundsLeft: number
  /** What one round of PKCS#12's own derivation is made with. */
  readonly digest: Digest
}

/**
 * Careful programs ask for 1,300,000 rounds each for the seal, the certificates and the key; the most that old ones
 * ask for are 100,000 of their own.
 */
const MOST_ROUNDS = 4_500_000

/** A round of PKCS#12's own derivation is a call of the platform, which costs as much as so many of PBKDF2. */
const ROUNDS_OF_A_CALL = 6

/** What scrypt does with 128 bytes, twice, costs as much as so many rounds of PBKDF2. */
const ROUNDS_OF_A_BLOCK = 2

const BLOCK_BYTES: Record<string, number> = {
  'SHA-1': 20,
  'SHA-256': 32,
  'SHA-384': 48,
  'SHA-512': 64,
}

export const newDerivationWork = (digest: Digest = digestOfPlatform): DerivationWork => ({
  roundsLeft: MOST_ROUNDS,
  digest,
})

export type Derivation =
  | {
      scheme: 'PBKDF2' | 'PKCS#12'
      hash: string
      iterations: number
      /** Of what is derived, in bytes: each block of the hash costs all rounds again. */
      length: number
    }
  | { scheme: 'scrypt'; cost: number; blockSize: number; parallelization: number }

/** Takes from what is left; false, and nothing is taken, when that is not enough. */
export function spend(work: DerivationWork, derivations: readonly Derivation[]): boolean {
  const cost = derivations.reduce((sum, one) => sum + costOf(one), 0)
  if (cost > work.roundsLeft) return false
  work.roundsLeft -= cost
  return true
}

function costOf(derivation: Derivation): number {
  if (derivation.scheme === 'scrypt') {
    const { cost, blockSize, parallelization } = derivation
    return ROUNDS_OF_A_BLOCK * cost * blockSize * parallelization
  }
  const { scheme, hash, iterations, length } = derivation
  const blocks = Math.ceil(length / (BLOCK_BYTES[hash] ?? 1))
  return blocks * Math.max(iterations, 1) * (scheme === 'PBKDF2' ? 1 : ROUNDS_OF_A_CALL)
}
