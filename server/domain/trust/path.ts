import { areEqual } from '#server/domain/asn1/der-values.ts'
import { toHex } from '#server/domain/bytes.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { namedIssuersOf } from './issuer-candidates.ts'
import { faultOf, type PathFault } from './path-rules.ts'
import type { PolicyRequirements } from './policy-rules.ts'
import type { SignatureFacts } from './signature-algorithm.ts'
import { type SignatureChecks, signatureChecks } from './signature-checks.ts'
import type { TrustAnchor } from './trust-anchor.ts'

export type PathFailure =
  /** No known certificate has the name of the issuer. */
  | 'no-issuer'
  /** A certificate has the name of the issuer, but its key did not sign. */
  | 'bad-signature'
  | 'unsupported-algorithm'
  /** The issuer's key is one that takes too long to check. */
  | 'unsupported-key'
  /** Given up: too many candidates. */
  | 'too-many-attempts'
  | PathFault

export type PathResult =
  | {
      kind: 'found'
      /** From the leaf to the anchor's certificate, both included; one when the leaf is the anchor. */
      path: readonly Certificate[]
      anchor: TrustAnchor
      /** Of the signature on each certificate but the anchor's. */
      signatures: readonly SignatureFacts[]
    }
  | {
      kind: 'none'
      reason: PathFailure
      /** About which certificate. */
      certificate: Certificate
      isAboutSigner: boolean
    }

/** What a failure is called in a report; OUT_OF_BOUNDS still has to learn whether there was proof of time. */
export type PathIndication =
  | 'NO_CERTIFICATE_CHAIN_FOUND'
  | 'CERTIFICATE_CHAIN_GENERAL_FAILURE'
  | 'CHAIN_CONSTRAINTS_FAILURE'
  | 'OUT_OF_BOUNDS'

/** @see ETSI EN 319 102-1 V1.3.1, 5.2.6.4 */
export function pathIndicationOf(reason: PathFailure): PathIndication {
  return INDICATIONS[reason]
}

const INDICATIONS: Record<PathFailure, PathIndication> = {
  'no-issuer': 'NO_CERTIFICATE_CHAIN_FOUND',
  'bad-signature': 'NO_CERTIFICATE_CHAIN_FOUND',
  'unsupported-algorithm': 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'unsupported-key': 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  'too-many-attempts': 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  malformed: 'CERTIFICATE_CHAIN_GENERAL_FAILURE',
  expired: 'OUT_OF_BOUNDS',
  'not-yet-valid': 'OUT_OF_BOUNDS',
  'issuer-is-no-authority': 'CHAIN_CONSTRAINTS_FAILURE',
  'issuer-may-not-sign-certificates': 'CHAIN_CONSTRAINTS_FAILURE',
  'path-too-long': 'CHAIN_CONSTRAINTS_FAILURE',
  'unknown-critical-extension': 'CHAIN_CONSTRAINTS_FAILURE',
  'name-not-allowed': 'CHAIN_CONSTRAINTS_FAILURE',
  'no-valid-policy': 'CHAIN_CONSTRAINTS_FAILURE',
}

const LONGEST_PATH = 10
/** How often one search asks whether a signature is right, whether or not it was asked before. */
export const MOST_CHECKS = 100

type Search = {
  at: Instant
  anchors: readonly TrustAnchor[]
  candidates: readonly Certificate[]
  policies?: PolicyRequirements
  /** Who has the name of a certificate's issuer; looked up once for each. */
  named: Map<Certificate, readonly Certificate[]>
  checks: SignatureChecks
  stepsLeft: number
  isPreferred?: (path: readonly Certificate[]) => boolean
  /** The first path that holds, where a better one may follow. */
  doubtful?: PathResult
  failure: Extract<PathResult, { kind: 'none' }>
}

type Step = { path: readonly Certificate[]; signatures: readonly SignatureFacts[] }

/**
 * A path from `leaf` to an anchor that held at `at`, by strong signatures where there is one. Issuers are found by
 * name and by trying the key of everyone who has it, because e.firmas carry no key identifiers and authorities renew
 * their keys.
 *
 * @param options.candidates certificates that may stand between, from the signature or a trust folder
 * @param options.checks a budget that several searches share
 * @param options.isPreferred of several paths that hold, one of which this is true is taken
 * @param options.policies under which policies the leaf must have been issued; absent: any or none
 * @see RFC 5280, 6.1; ETSI EN 319 102-1 V1.3.1, 5.2.6
 */
export function findPath(
  leaf: Certificate,
  options: {
    candidates: readonly Certificate[]
    anchors: readonly TrustAnchor[]
    at: Instant
    checks?: SignatureChecks
    isPreferred?: (path: readonly Certificate[]) => boolean
    policies?: PolicyRequirements
  },
): PathResult {
  const failure = {
    kind: 'none',
    reason: 'no-issuer',
    certificate: leaf,
    isAboutSigner: true,
  } as const
  const search: Search = {
    ...options,
    named: new Map(),
    checks: options.checks ?? signatureChecks(MOST_CHECKS),
    stepsLeft: MOST_CHECKS,
    failure,
  }
  return extend(search, { path: [leaf], signatures: [] }) ?? search.doubtful ?? search.failure
}

function extend(search: Search, step: Step): PathResult | undefined {
  const last = step.path[step.path.length - 1] as Certificate
  const own = search.anchors.find(({ certificate }) => isSame(certificate, last))
  if (own) return judged(search, step, own)
  if (step.path.length >= LONGEST_PATH) return undefined
  return toAnchor(search, step, last) ?? throughCandidates(search, step, last)
}

function toAnchor(search: Search, step: Step, last: Certificate): PathResult | undefined {
  for (const anchor of search.anchors) {
    const next = signedStep(search, step, last, anchor.certificate)
    const result = next && judged(search, next, anchor)
    if (result) return result
  }
  return undefined
}

function throughCandidates(search: Search, step: Step, last: Certificate): PathResult | undefined {
  const strangers = new Set<string>()
  for (const candidate of namedOnce(search, last)) {
    // The same name with the same key again is a loop, whatever else the certificate says.
    if (step.path.some((earlier) => isSameAuthority(earlier, candidate))) continue
    const key = toHex(candidate.publicKey.spki)
    if (strangers.has(key)) continue
    const next = signedStep(search, step, last, candidate)
    if (!next) strangers.add(key)
    const result = next && extend(search, next)
    if (result) return result
  }
  return undefined
}

function namedOnce(search: Search, certificate: Certificate): readonly Certificate[] {
  const named = search.named.get(certificate) ?? namedIssuersOf(certificate, search.candidates)
  search.named.set(certificate, named)
  return named
}

/** The path with one more issuer, if the issuer's name and key are those that signed `last`. */
function signedStep(search: Search, step: Step, last: Certificate, issuer: Certificate) {
  if (!areSameName(last.issuer, issuer.subject)) return undefined
  const check = search.stepsLeft-- > 0 ? search.checks.check(last, issuer) : undefined
  if (!check) return fail(search, step, last, 'too-many-attempts')
  if (check.kind === 'unsupported') return fail(search, step, last, 'unsupported-algorithm')
  if (check.kind === 'unsupported-key') return fail(search, step, last, 'unsupported-key')
  if (!check.isVerified) return fail(search, step, last, 'bad-signature')
  return { path: [...step.path, issuer], signatures: [...step.signatures, check.facts] }
}

function judged(search: Search, { path, signatures }: Step, anchor: TrustAnchor) {
  const fault = faultOf(path, search.at, search.policies)
  if (fault) return fail(search, { path, signatures }, fault.certificate, fault.reason)
  const found = { kind: 'found', path, anchor, signatures } as const
  // The signature on the leaf is part of every path.
  const isWeak = !signatures[0]?.isWeak && signatures.some((signature) => signature.isWeak)
  if (!isWeak && (search.isPreferred?.(path) ?? true)) return found
  // An authority may have a certificate by SHA-1, or for servers alone, and another one for the same key: a file may bring both.
  search.doubtful ??= found
  return undefined
}

/** Keeps the failure that says most: a whole path that does not hold says more than a missing one. */
function fail(
  search: Search,
  step: Step,
  certificate: Certificate,
  reason: PathFailure,
): undefined {
  if (weightOf(reason) > weightOf(search.failure.reason)) {
    const isAboutSigner = isSame(certificate, step.path[0] as Certificate)
    search.failure = { kind: 'none', reason, certificate, isAboutSigner }
  }
  return undefined
}

function weightOf(reason: PathFailure): number {
  if (reason === 'no-issuer') return 0
  if (reason === 'bad-signature' || reason === 'unsupported-algorithm') return 1
  if (reason === 'unsupported-key') return 1
  return reason === 'too-many-attempts' ? 2 : 3
}

const isSame = (a: Certificate, b: Certificate) => areEqual(a.der, b.der)

const isSameAuthority = (a: Certificate, b: Certificate) =>
  areEqual(a.publicKey.spki, b.publicKey.spki) && areEqual(a.subject.bytes, b.subject.bytes)
