import type { Instant } from '#server/domain/time.ts'
import type { DigestName } from './digest-algorithm.ts'
import type { SignatureFacts } from './signature-algorithm.ts'

/** The last instant at which something was good enough; null: it still is. */
type LastDay = Instant | null

/**
 * Until when which algorithms prove anything. Plain data: an office may allow old files more, or new ones
 * less.
 *
 * @see ETSI TS 119 312; ETSI EN 319 102-1 V1.3.1, 5.2.7 (cryptographic constraints)
 */
export type AlgorithmPolicy = {
  /** A digest that is not named proves nothing at any time. */
  digests: Partial<Record<DigestName, LastDay>>
  /** By kind of key: a key counts while one row holds that it is long enough for. */
  keys: Record<KeyFamily, readonly { leastBits: number; until: LastDay }[]>
}

type KeyFamily = 'rsa' | 'dsa' | 'ec'

/** No dates: MD5, SHA-1, RSA and DSA below 2048 bits and curves below 255 never prove anything by themselves. */
export const CURRENT_ALGORITHMS: AlgorithmPolicy = {
  digests: {
    sha224: null,
    sha256: null,
    sha384: null,
    sha512: null,
    'sha3-256': null,
    'sha3-384': null,
    'sha3-512': null,
    shake256: null,
  },
  keys: {
    rsa: [{ leastBits: 2048, until: null }],
    dsa: [{ leastBits: 2048, until: null }],
    ec: [{ leastBits: 255, until: null }],
  },
}

/**
 * Whether a signature made so proves anything at `at`: the time at which it is proven to exist, else now.
 */
export function isStrongAt(
  { scheme, digest, keyBits }: SignatureFacts,
  at: Instant,
  policy: AlgorithmPolicy = CURRENT_ALGORITHMS,
): boolean {
  const holds = (until: LastDay | undefined) =>
    until === null || (until !== undefined && at <= until)
  const isDigestStrong = digest === undefined || holds(policy.digests[digest])
  return (
    isDigestStrong &&
    policy.keys[FAMILIES[scheme]].some(
      ({ leastBits, until }) => keyBits >= leastBits && holds(until),
    )
  )
}

const FAMILIES: Record<SignatureFacts['scheme'], KeyFamily> = {
  'RSASSA-PKCS1-v1_5': 'rsa',
  'RSASSA-PSS': 'rsa',
  DSA: 'dsa',
  ECDSA: 'ec',
  Ed25519: 'ec',
  Ed448: 'ec',
}
