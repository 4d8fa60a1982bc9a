import { type DigestName, digestNameOf } from '../certificates/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '../efirma/algorithm-identifier.ts'
import { DerError, readBer } from '../efirma/der.ts'
import { timeOf } from '../efirma/der-time.ts'
import { octetsOf, oidOf, sequenceOf } from '../efirma/der-values.ts'
import type { Instant } from '../time.ts'

export const ID_CT_TST_INFO = '1.2.840.113549.1.9.16.1.4'

/** What a timestamp says: these bytes existed at this time. */
export type TstInfo = {
  policy: string
  /** Undefined for a digest that we do not compute. */
  digest: DigestName | undefined
  imprint: Uint8Array
  time: Instant
}

/** @throws {DerError} @see RFC 3161, 2.4.2 */
export function readTstInfo(bytes: Uint8Array): TstInfo {
  const [version, policy, imprint, serial, time] = sequenceOf(readBer(bytes))
  if (!version || !serial) throw new DerError('unexpected-structure', 'not a TSTInfo')
  const [algorithm, hash] = sequenceOf(imprint)
  return {
    policy: oidOf(policy),
    digest: digestNameOf(readAlgorithmIdentifier(algorithm).oid),
    imprint: octetsOf(hash),
    time: timeOf(time) as Instant,
  }
}
