import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import {
  type Bytes,
  boolean,
  integer,
  nullValue,
  octetString,
  oid,
  sequence,
  unsignedInteger,
} from '#server/domain/asn1/der-writer.ts'
import { ID_SHA256 } from '#server/domain/asn1/object-identifiers.ts'
import { after, type Instant, minutes } from '#server/domain/time.ts'
import { findPath } from '#server/domain/trust/path.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { readTimeStampResponse, type TimeStampResponse } from './time-stamp-response.ts'
import type { TimeStampToken } from './time-stamp-token.ts'
import { type TimeStampProblem, verifyTimeStamp } from './verify-time-stamp.ts'

/** A request for a timestamp. */
export type TimeStampRequest = {
  /** SHA-256 of the stamped bytes: 32 bytes. */
  digest: Uint8Array
  /** Random, at least 8 bytes, so that the answer to another request is not accepted. */
  nonce: Uint8Array
  /** Dotted decimal; null for the authority's own. */
  policy: string | null
}

/**
 * A TimeStampReq that requests the authority's certificate.
 *
 * @throws {RangeError} for a digest of another length, and for a nonce that could be guessed
 * @see RFC 3161, 2.4.1
 */
export function timeStampRequest({ digest, nonce, policy }: TimeStampRequest): Bytes {
  if (digest.length !== 32) throw new RangeError(`${digest.length} bytes are no SHA-256`)
  if (nonce.length < 8) throw new RangeError('a nonce of less than 64 bits')
  return sequence(
    integer(1),
    sequence(sequence(oid(ID_SHA256), nullValue()), octetString(digest)),
    ...(policy === null ? [] : [oid(policy)]),
    unsignedInteger(nonce),
    boolean(true),
  )
}

/** Why an answer does not match the request or proves nothing. */
export type TimeStampFault =
  | 'unreadable'
  /** The authority refuses, or asks to be asked again later. */
  | 'refused'
  | 'nonce-differs'
  | 'policy-differs'
  /** Its clock differs too much from ours. */
  | 'time-differs'
  /** No path leads from the certificate of the authority to an anchor of the office. */
  | 'untrusted'
  | TimeStampProblem

export type AcceptedTimeStamp = {
  kind: 'accepted'
  /** The token as received. */
  token: Uint8Array
  time: Instant
  /** From the authority to the anchor, both included. */
  path: readonly Certificate[]
}

const CLOCK_SKEW = minutes(5)

/**
 * Whether the answer matches the request and is signed by a trusted timestamp authority.
 *
 * @param trust.now when the answer arrived
 * @see RFC 3161, 2.4.2, and 2.2 for what the requester has to check
 */
export function acceptTimeStamp(
  answer: Uint8Array,
  request: TimeStampRequest,
  trust: { anchors: readonly TrustAnchor[]; candidates: readonly Certificate[]; now: Instant },
): AcceptedTimeStamp | { kind: 'refused'; fault: TimeStampFault } {
  const response = tryToRead(answer)
  if (!response) return refused('unreadable')
  if (response.kind === 'refused') return refused('refused')
  const { token, tokenBytes } = response
  const fault = faultOf(token, request, trust)
  if (fault) return refused(fault)
  const facts = verifyTimeStamp(token, (digest) =>
    digest === 'sha256' ? request.digest : new Uint8Array(),
  )
  if (facts.problem) return refused(facts.problem)
  const { time } = token.info
  const candidates = [...token.signedData.certificates, ...trust.candidates]
  const found = findPath(facts.certificate as Certificate, { ...trust, candidates, at: time })
  if (found.kind === 'none') return refused('untrusted')
  return { kind: 'accepted', token: tokenBytes, time, path: found.path }
}

const refused = (fault: TimeStampFault) => ({ kind: 'refused', fault }) as const

function tryToRead(answer: Uint8Array): TimeStampResponse | undefined {
  try {
    return readTimeStampResponse(answer)
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

function faultOf(
  { info }: TimeStampToken,
  { nonce, policy }: TimeStampRequest,
  { now }: { now: Instant },
): TimeStampFault | undefined {
  if (!info.nonce || !areEqual(shortest(info.nonce), shortest(nonce))) return 'nonce-differs'
  if (policy !== null && info.policy !== policy) return 'policy-differs'
  const isNow = info.time <= after(now, CLOCK_SKEW) && now <= after(info.time, CLOCK_SKEW)
  return isNow ? undefined : 'time-differs'
}

/** Without redundant leading octets. */
const shortest = (octets: Uint8Array) => {
  const first = octets.findIndex((octet) => octet !== 0)
  return first < 0 ? new Uint8Array() : octets.subarray(first)
}
