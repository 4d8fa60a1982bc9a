import { areEqual } from '#server/domain/asn1/der-values.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { END_OF_TIME, earliest, type Instant } from '#server/domain/time.ts'
import {
  type AlgorithmPolicy,
  CURRENT_ALGORITHMS,
  isStrongAt,
} from '#server/domain/trust/algorithm-policy.ts'
import { factsIfSigned } from '#server/domain/trust/check-once.ts'
import { digestOnce } from '#server/domain/trust/digest-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { bestOf, isDelegatedResponder, isExemptFromChecks, type Word } from './answer-signer.ts'
import { isIdOf } from './certificate-id.ts'
import { findingsInList } from './findings-in-lists.ts'
import type { OcspAnswer, OcspRefusal, SingleResponse } from './ocsp-response.ts'
import type { Finding, RevocationQuestion } from './question.ts'
import { ocspResponseIn, type RevocationAnswer } from './revocation-values.ts'

/**
 * What an OCSP response says about the certificate; nothing for one about others.
 *
 * @see RFC 6960, 3.2
 */
export function findingsInResponse(
  answer: RevocationAnswer,
  question: RevocationQuestion,
): Finding[] {
  const response = ocspResponseIn(answer.der)
  if (!response) return ['malformed']
  // A refusal is unsigned: it may lead to a retry, but says nothing about a certificate.
  if (response.kind === 'refused')
    return [COME_BACK.includes(response.status) ? 'try-later' : 'refused']
  const { certificate, issuer } = question
  const about = response.responses.filter(({ id }) => isIdOf(id, certificate, issuer))
  if (about.length === 0) return []
  if (response.hasUnknownCritical) return ['not-applicable']
  const word = wordOf(response, answer.provenAt ?? question.now, question)
  if (typeof word === 'string') return [word]
  return about.map((single) => findingOf(single, answer.source, word))
}

const COME_BACK: readonly OcspRefusal[] = ['try-later', 'internal-error']

function findingOf(
  { status, thisUpdate, nextUpdate, archiveCutoff, hasUnknownCritical }: SingleResponse,
  source: RevocationAnswer['source'],
  { isWeak, until }: Word,
): Finding {
  if (hasUnknownCritical) return 'not-applicable'
  if (status.kind === 'unknown') return 'unknown-to-responder'
  if (status.kind === 'good' && thisUpdate > until) return 'unauthorized-responder'
  return {
    kind: 'ocsp',
    source,
    says: status,
    thisUpdate,
    nextUpdate: nextUpdate && earliest(nextUpdate, until),
    expiredSince: archiveCutoff,
    isWeak,
  }
}

/** Whether the authority, or a responder that it delegated, signed the response. */
function wordOf(
  response: OcspAnswer,
  provenAt: Instant,
  question: RevocationQuestion,
): Word | 'unauthorized-responder' | 'bad-signature' {
  const algorithms = question.algorithms ?? CURRENT_ALGORITHMS
  const named = namedIn(response, question)
  const signers = named.flatMap((signer) => {
    const facts = factsIfSigned(response, signer)
    return facts ? [{ signer, facts }] : []
  })
  if (named.length > 0 && signers.length === 0) return 'bad-signature'
  const words = signers
    .filter(({ signer }) => mayAnswer(signer, response, provenAt, algorithms, question))
    .map(({ signer, facts }) => ({
      isWeak: !isStrongAt(facts, provenAt, algorithms),
      until: endOf(signer, question.issuer),
    }))
  return bestOf(words) ?? 'unauthorized-responder'
}

/** The first few that may have signed: a file can bring hundreds of certificates with the name of one responder. */
function namedIn(
  response: OcspAnswer,
  { issuer, responders = [], candidates }: RevocationQuestion,
): Certificate[] {
  const named: Certificate[] = []
  for (const certificate of [issuer, ...responders, ...response.certificates, ...candidates]) {
    if (named.length === MOST_RESPONDERS) break
    const isKnown = () => named.some(({ der }) => areEqual(der, certificate.der))
    if (isResponder(response, certificate) && !isKnown()) named.push(certificate)
  }
  return named
}

const MOST_RESPONDERS = 5

/** The path says until when the authority itself is believed. */
const endOf = (signer: Certificate, issuer: Certificate): Instant =>
  hasSameKey(signer, issuer) ? END_OF_TIME : signer.notAfter

const hasSameKey = (a: Certificate, b: Certificate) => areEqual(a.publicKey.spki, b.publicKey.spki)

function mayAnswer(
  signer: Certificate,
  { producedAt }: OcspAnswer,
  provenAt: Instant,
  algorithms: AlgorithmPolicy,
  question: RevocationQuestion,
): boolean {
  const { certificate, issuer, responders = [] } = question
  if (hasSameKey(signer, issuer)) return true
  if (responders.some(({ der }) => areEqual(der, signer.der)))
    return signer.notBefore <= producedAt && producedAt <= signer.notAfter
  const delegation = { certificate, issuer, at: producedAt, provenAt, algorithms }
  if (!isDelegatedResponder(signer, delegation)) return false
  return isExemptFromChecks(signer) || !isRevoked(signer, question)
}

/** A responder signs many answers to one question. */
const revoked = new WeakMap<RevocationQuestion, Map<string, boolean>>()

function isRevoked(responder: Certificate, question: RevocationQuestion): boolean {
  const known = revoked.get(question) ?? new Map<string, boolean>()
  revoked.set(question, known)
  const id = sha256(responder.der)
  const answer = known.get(id) ?? isRevokedIn(question, responder)
  known.set(id, answer)
  return answer
}

/**
 * By a list, or by the authority itself, because a responder cannot be asked about itself. Whatever the reason, its
 * word is not taken.
 */
function isRevokedIn(question: RevocationQuestion, responder: Certificate): boolean {
  const { issuer, evidence } = question
  const asked = { ...question, certificate: responder }
  const isListedIn = (answer: RevocationAnswer) =>
    findingsInList(answer, asked).some(
      (finding) => typeof finding !== 'string' && finding.says.kind === 'revoked',
    )
  return (
    evidence.crls.some(isListedIn) ||
    evidence.ocsp.some(({ der }) => doesRevoke(der, responder, issuer))
  )
}

function doesRevoke(der: Uint8Array, certificate: Certificate, issuer: Certificate): boolean {
  const response = ocspResponseIn(der)
  if (response?.kind !== 'answered') return false
  const isAbout = response.responses.some(
    ({ id, status }) => status.kind === 'revoked' && isIdOf(id, certificate, issuer),
  )
  return isAbout && factsIfSigned(response, issuer) !== undefined
}

function isResponder({ responder }: OcspAnswer, certificate: Certificate): boolean {
  if (responder.kind === 'name') return areSameName(responder.name, certificate.subject)
  // The standard knows this hash as SHA-1 alone; it is a hint, the signature decides.
  return areEqual(responder.hash, digestOnce('sha1', certificate.publicKey.bits))
}
