import { DerError, type DerNode, readBer } from '#server/domain/asn1/der.ts'
import { timeOf } from '#server/domain/asn1/der-time.ts'
import {
  booleanOf,
  hexOf,
  integerBytesOf,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import type { Duration, Instant } from '#server/domain/time.ts'
import { type DigestName, digestNameOf } from '#server/domain/trust/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'

/** The contents of a timestamp: these bytes existed at this time. */
export type TstInfo = {
  /** The authority's policy, dotted decimal. */
  policy: string
  /** Undefined for an algorithm that we do not support. */
  digest: DigestName | undefined
  imprint: Uint8Array
  /** The octets of the INTEGER in lower-case hexadecimal. */
  serial: string
  time: Instant
  /** The accuracy of the authority's clock; undefined if not stated. */
  accuracy: Duration | undefined
  nonce: Uint8Array | undefined
  /** An unknown critical extension may change the meaning of the token. */
  hasCriticalExtension: boolean
}

/** @throws {DerError} @see RFC 3161, 2.4.2 */
export function readTstInfo(bytes: Uint8Array): TstInfo {
  const [version, policy, imprint, serial, time, ...rest] = sequenceOf(readBer(bytes))
  if (!version || smallIntegerOf(version) !== 1)
    throw new DerError('unexpected-structure', 'not a TSTInfo of version 1')
  const [algorithm, hash] = sequenceOf(imprint)
  const has = (tag: number) => rest.find((node) => node.tag === tag)
  const [accuracy, nonce, extensions] = [has(TAG.sequence), has(TAG.integer), has(0xa1)]
  return {
    policy: oidOf(policy),
    digest: digestNameOf(readAlgorithmIdentifier(algorithm).oid),
    imprint: octetsOf(hash),
    serial: hexOf(integerBytesOf(serial)),
    time: timeOf(time),
    accuracy: accuracy && accuracyOf(accuracy),
    nonce: nonce && integerBytesOf(nonce),
    hasCriticalExtension: extensions?.children().some(isCritical) ?? false,
  }
}

/** Sum of the seconds, milliseconds and microseconds that are present. */
function accuracyOf(node: DerNode): Duration {
  const partOf = (tag: number) => {
    const part = sequenceOf(node).find((one) => one.tag === tag)
    return part ? part.content.reduce((sum, octet) => sum * 256 + octet, 0) : 0
  }
  return (partOf(TAG.integer) * 1000 + partOf(0x80) + partOf(0x81) / 1000) as Duration
}

function isCritical(extension: DerNode): boolean {
  const [, critical] = sequenceOf(extension)
  return critical?.tag === TAG.boolean && booleanOf(critical)
}
