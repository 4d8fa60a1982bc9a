import { createHash, randomBytes } from 'node:crypto'
import { DerError, readDer } from '#server/domain/asn1/der.ts'
import { octetsOf, sequenceOf, smallIntegerOf, TAG } from '#server/domain/asn1/der-values.ts'
import {
  bitString,
  element,
  explicit,
  integer,
  octetString,
  oid,
  retagged,
  sequence,
  utf8String,
} from '#server/domain/asn1/der-writer.ts'
import {
  ID_POLICY_DEMO_CONSTANCIA,
  ID_SIGNING_TIME,
} from '#server/domain/asn1/object-identifiers.ts'
import { type Instant, toTimestamp } from '#server/domain/time.ts'
import { digestNameOf } from '#server/domain/trust/digest-algorithm.ts'
import { readAlgorithmIdentifier } from '#server/domain/x509/algorithm-identifier.ts'
import type { DemoService } from './service-certificates.ts'
import { attribute, SHA256, signedToken } from './signed-token.ts'

const ACCURACY_MS = 100
const MOST_REMEMBERED = 1000

/** A provider of constancias and its root, which hands itself out with every constancia. */
export type ConstanciaProvider = DemoService & { root: DemoService['certificate'] }

/**
 * A provider that answers as the real ones do, oddities included: the whole response and the token alone by
 * turns, no nonce, no purpose of timestamping in its certificate, a signing time with a fraction of a second.
 * A request that comes again gets the constancia that it got before: it is not paid for twice.
 *
 * @see NOM-151-SCFI-2016
 */
export function createConstanciaProvider(provider: ConstanciaProvider) {
  const given = new Map<string, Uint8Array>()

  function give(request: Uint8Array, imprint: Uint8Array, now: Instant): Uint8Array {
    const id = sha256Of(request).toString('hex')
    const known = given.get(id)
    if (known) return known
    const token = tokenOver(imprint, provider, now)
    const isBare = given.size % 2 === 1
    const answer = isBare ? token : sequence(granted(), token)
    given.set(id, answer)
    if (given.size > MOST_REMEMBERED) given.delete(given.keys().next().value as string)
    return answer
  }

  return {
    answer(request: Uint8Array, now: Instant): Uint8Array {
      const imprint = tryToRead(request)
      return imprint ? give(request, imprint, now) : refusal()
    },
    /** How many were given, and so paid for. */
    count: () => given.size,
  }
}

/** The SHA-256 that is asked about; undefined for anything else. */
function tryToRead(request: Uint8Array): Uint8Array | undefined {
  try {
    const [version, messageImprint] = sequenceOf(readDer(request, { maxNodes: 200 }))
    const [algorithm, imprint] = sequenceOf(messageImprint)
    const isSha256 = digestNameOf(readAlgorithmIdentifier(algorithm).oid) === 'sha256'
    const octets = octetsOf(imprint)
    return smallIntegerOf(version) === 1 && isSha256 && octets.length === 32 ? octets : undefined
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function tokenOver(imprint: Uint8Array, provider: ConstanciaProvider, now: Instant): Uint8Array {
  const { certificate, root } = provider
  const content = sequence(
    integer(1),
    oid(ID_POLICY_DEMO_CONSTANCIA),
    sequence(SHA256, octetString(imprint)),
    element(TAG.integer, negative(randomBytes(8))),
    element(TAG.generalizedTime, timeWithFraction(now)),
    // In milliseconds: [0].
    sequence(element(0x80, integer(ACCURACY_MS).subarray(2))),
    explicit(0, retagged(0xa4, explicit(4, certificate.subject.bytes))),
  )
  const signingTime = element(TAG.utcTime, timeWithFraction(now).subarray(2))
  return signedToken(content, provider, {
    attributes: [attribute(ID_SIGNING_TIME, signingTime)],
    certificates: [certificate.der, root.der],
  })
}

/** As a careless program numbers: with the highest bit set, which makes the number negative. */
function negative(octets: Uint8Array): Uint8Array {
  const copy = Uint8Array.from(octets)
  copy[0] = 0x80 | ((copy[0] ?? 0) & 0x7e)
  return copy
}

const timeWithFraction = (at: Instant) =>
  new Uint8Array(Buffer.from(toTimestamp(at).replace(/[-:T]/g, ''), 'latin1'))

const granted = () => sequence(integer(0), sequence(utf8String('Operation Okay')))

/** Rejection, badRequest. @see RFC 3161, 2.4.2 */
const refusal = () => sequence(sequence(integer(2), bitString(Uint8Array.of(0x20), 5)))

const sha256Of = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest()
