import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { END_OF_TIME, earliest, type Instant } from '#server/domain/time.ts'
import { isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import { factsIfSigned } from '#server/domain/trust/check-once.ts'
import type { SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { listSignersFor } from './answer-signer.ts'
import type { CertificateList } from './certificate-list.ts'
import { doesCover } from './distribution-scope.ts'
import type { Finding, RevocationQuestion, Statement } from './question.ts'
import { certificateListIn, type RevocationAnswer } from './revocation-values.ts'
import { revocationsOf } from './revoked-entries.ts'

/**
 * The findings of a list about the certificate; none if the list is of another issuer.
 *
 * @see RFC 5280, 6.3.3
 */
export function findingsInList(answer: RevocationAnswer, question: RevocationQuestion): Finding[] {
  const list = certificateListIn(answer.der)
  if (!list) return ['malformed']
  if (!areSameName(list.issuer, question.issuer.subject)) return []
  if (list.hasUnknownCritical || list.scope.isIndirect) return ['not-applicable']
  const signed = signedBy(list, question)
  if (!signed) return ['bad-signature']
  const { signatures, until } = signed
  const [provenAt, algorithms] = [answer.provenAt ?? question.now, question.algorithms]
  const word = {
    kind: 'crl',
    source: answer.source,
    thisUpdate: list.thisUpdate,
    nextUpdate: list.nextUpdate && earliest(list.nextUpdate, until),
    expiredSince: list.expiredSince,
    isWeak: !signatures.every((facts) => isStrongAt(facts, provenAt, algorithms)),
  } as const
  try {
    return statementsIn(list, question.certificate, word)
  } catch (error) {
    if (error instanceof DerError) return ['malformed']
    throw error
  }
}

function statementsIn(
  list: CertificateList,
  certificate: Certificate,
  word: Omit<Statement, 'says'>,
): Finding[] {
  const entries = revocationsOf(list, certificate.serial)
  if (entries === 'not-understood') return ['not-applicable']
  const revocations = entries.filter(({ reason }) => reason !== 'removeFromCRL')
  if (revocations.length > 0)
    return revocations.map((entry) => ({ ...word, says: { kind: 'revoked', ...entry } }))
  const isWhole = !list.isDelta && entries.length === 0 && doesCover(list.scope, certificate)
  return isWhole ? [{ ...word, says: { kind: 'good' } }] : ['not-applicable']
}

type Signed = {
  /** On the list, and on the certificate of its key. */
  signatures: readonly SignatureFacts[]
  /** Until when the key vouches for anything. */
  until: Instant
}

/** Undefined unless a key that may sign it did. */
function signedBy(
  list: CertificateList,
  { issuer, parent, candidates }: RevocationQuestion,
): Signed | undefined {
  if (!areEqual(list.signatureAlgorithm.bytes, list.signedAlgorithm.bytes)) return undefined
  const signers = listSignersFor(issuer, parent, candidates, list.thisUpdate)
  for (const { certificate, delegation } of signers) {
    const facts = factsIfSigned(list, certificate)
    if (!facts) continue
    if (!delegation) return { signatures: [facts], until: END_OF_TIME }
    return { signatures: [facts, delegation], until: certificate.notAfter }
  }
  return undefined
}
