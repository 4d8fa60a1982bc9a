import { createHash, randomBytes, sign } from 'node:crypto'
import { type DigestName, digestNameOf } from '#server/domain/certificates/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/efirma/algorithm-identifier.ts'
import { DerError, type DerNode, readDer } from '#server/domain/efirma/der.ts'
import {
  booleanOf,
  octetsOf,
  oidOf,
  sequenceOf,
  smallIntegerOf,
  TAG,
} from '#server/domain/efirma/der-values.ts'
import {
  bitString,
  element,
  explicit,
  generalizedTime,
  integer,
  nullValue,
  octetString,
  oid,
  retagged,
  sequence,
  setOfElements,
  unsignedInteger,
} from '#server/domain/efirma/der-writer.ts'
import {
  CONTENT_TYPE,
  MESSAGE_DIGEST,
  SIGNING_CERTIFICATE_V2,
} from '#server/domain/efirma/signed-attributes.ts'
import type { Instant } from '#server/domain/time.ts'
import { ID_CT_TST_INFO } from '#server/domain/timestamp/tst-info.ts'
import type { DemoService } from './service-certificates.ts'

const SIGNED_DATA = '1.2.840.113549.1.7.2'
const SHA256 = '2.16.840.1.101.3.4.2.1'
const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
/** Of nobody: 2.999 is the arc for examples. @see X.660, A.8 */
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

function token(asked: Asked, { certificate, key }: DemoService, now: Instant): Uint8Array {
  const digest = sequence(oid(SHA256), nullValue())
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
  const attributes = setOfElements(
    attribute(CONTENT_TYPE, oid(ID_CT_TST_INFO)),
    attribute(MESSAGE_DIGEST, octetString(sha256Of(content))),
    attribute(
      SIGNING_CERTIFICATE_V2,
      sequence(sequence(sequence(octetString(sha256Of(certificate.der))))),
    ),
  )
  const signerInfo = sequence(
    integer(1),
    sequence(
      certificate.issuer.bytes,
      element(TAG.integer, Buffer.from(certificate.serial, 'hex')),
    ),
    digest,
    retagged(0xa0, attributes),
    sequence(oid(RSA_ENCRYPTION), nullValue()),
    octetString(sign('sha256', attributes, key)),
  )
  const signedData = sequence(
    integer(3),
    setOfElements(digest),
    sequence(oid(ID_CT_TST_INFO), explicit(0, octetString(content))),
    ...(asked.wantsCertificate ? [retagged(0xa0, setOfElements(certificate.der))] : []),
    setOfElements(signerInfo),
  )
  return sequence(oid(SIGNED_DATA), explicit(0, signedData))
}

function refusal(failure: keyof typeof FAILURES): Uint8Array {
  const bit = FAILURES[failure]
  const octets = new Uint8Array((bit >> 3) + 1)
  octets[bit >> 3] = 0x80 >> (bit & 7)
  return sequence(sequence(integer(REJECTION), bitString(octets, 7 - (bit & 7))))
}

const attribute = (type: string, value: Uint8Array) => sequence(oid(type), setOfElements(value))

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
