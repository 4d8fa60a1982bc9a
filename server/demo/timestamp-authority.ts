import { randomBytes } from 'node:crypto'
import { DerError, type DerNode, readDer } from '#server/domain/asn1/der.ts'
import {
  booleanOf,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/asn1/der-values.ts'
import {
  bitString,
  generalizedTime,
  integer,
  oid,
  sequence,
  unsignedInteger,
} from '#server/domain/asn1/der-writer.ts'
import type { Instant } from '#server/domain/time.ts'
import { type DigestName, digestNameOf } from '#server/domain/trust/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import type { DemoService } from './service-certificates.ts'
import { signedToken } from './signed-token.ts'

/** 2.999 is the arc for examples. @see X.660, A.8 */
const DEMO_POLICY = '2.999.1'
const ACCEPTED: Partial<Record<DigestName, number>> = { sha256: 32, sha384: 48, sha512: 64 }

/** Numbers of PKIStatus and of the bits of PKIFailureInfo. @see RFC 3161, 2.4.2 */
const GRANTED = 0
const REJECTION = 2
const FAILURES = { badAlg: 0, badRequest: 2, badDataFormat: 5, unacceptedPolicy: 15 } as const

/**
 * The answer to a request for a timestamp, at the time of `now`.
 *
 * @see RFC 3161, 2.4; RFC 5816
 */
export function answerTimestamp(
  request: Uint8Array,
  authority: DemoService,
  now: Instant,
): Uint8Array {
  const asked = tryToRead(request)
  if (!asked) return refusal('badDataFormat')
  const length = asked.digest && ACCEPTED[asked.digest]
  if (length === undefined) return refusal('badAlg')
  if (asked.imprint.length !== length || asked.hasExtensions) return refusal('badRequest')
  if (asked.policy !== undefined && asked.policy !== DEMO_POLICY) return refusal('unacceptedPolicy')
  return sequence(sequence(integer(GRANTED)), token(asked, authority, now))
}

type Asked = {
  imprintBytes: Uint8Array
  digest: DigestName | undefined
  imprint: Uint8Array
  policy: string | undefined
  /** The whole element. */
  nonce: Uint8Array | undefined
  wantsCertificate: boolean
  hasExtensions: boolean
}

function tryToRead(request: Uint8Array): Asked | undefined {
  try {
    return readRequest(readDer(request, { maxNodes: 200 }))
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function readRequest(node: DerNode): Asked {
  const [version, messageImprint, ...rest] = sequenceOf(node)
  if (smallIntegerOf(version) !== 1) throw new DerError('bad-value', 'a request of another version')
  const [algorithm, imprint] = sequenceOf(messageImprint)
  const has = (tag: number) => rest.find((one) => one.tag === tag)
  const [policy, nonce, certificate] = [has(TAG.oid), has(TAG.integer), has(TAG.boolean)]
  return {
    imprintBytes: messageImprint?.bytes ?? new Uint8Array(),
    digest: digestNameOf(readAlgorithmIdentifier(algorithm).oid),
    imprint: octetsOf(imprint),
    policy: policy && oidOf(policy),
    nonce: nonce?.bytes,
    wantsCertificate: certificate !== undefined && booleanOf(certificate),
    hasExtensions: has(0xa0) !== undefined,
  }
}

function token(asked: Asked, authority: DemoService, now: Instant): Uint8Array {
  const content = sequence(
    integer(1),
    oid(DEMO_POLICY),
    asked.imprintBytes,
    unsignedInteger(randomBytes(16)),
    generalizedTime(now),
    // Accuracy: one second.
    sequence(integer(1)),
    ...(asked.nonce ? [asked.nonce] : []),
  )
  const certificates = asked.wantsCertificate ? [authority.certificate.der] : []
  return signedToken(content, authority, { certificates })
}

function refusal(failure: keyof typeof FAILURES): Uint8Array {
  const bit = FAILURES[failure]
  const octets = new Uint8Array((bit >> 3) + 1)
  octets[bit >> 3] = 0x80 >> (bit & 7)
  return sequence(sequence(integer(REJECTION), bitString(octets, 7 - (bit & 7))))
}
