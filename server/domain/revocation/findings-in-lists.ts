import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { END_OF_TIME, earliest, type Instant } from '#server/domain/time.ts'
import { isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import { factsIfSigned } from '#server/domain/trust/check-once.ts'
import type { SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { bestOf, listSignersFor, type Word } from './answer-signer.ts'
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
  const word = wordOf(list, answer.provenAt ?? question.now, question)
  if (!word) return ['bad-signature']
  const said = {
    kind: 'crl',
    source: answer.source,
    thisUpdate: list.thisUpdate,
    nextUpdate: list.nextUpdate && earliest(list.nextUpdate, word.until),
    expiredSince: list.expiredSince,
    isWeak: word.isWeak,
  } as const
  try {
    return statementsIn(list, question.certificate, said)
  } catch (error) {
    if (error instanceof DerError) return ['malformed']
    throw error
  }
}

function statementsIn(
  list: CertificateList,
  certificate: Certificate,
  said: Omit<Statement, 'says'>,
): Finding[] {
  const entries = revocationsOf(list, certificate.serial)
  if (entries === 'not-understood') return ['not-applicable']
  const revocations = entries.filter(({ reason }) => reason !== 'removeFromCRL')
  if (revocations.length > 0)
    return revocations.map((entry) => ({ ...said, says: { kind: 'revoked', ...entry } }))
  const isWhole = !list.isDelta && entries.length === 0 && doesCover(list.scope, certificate)
  return isWhole ? [{ ...said, says: { kind: 'good' } }] : ['not-applicable']
}

/** Undefined unless a key that may sign it did. */
function wordOf(
  list: CertificateList,
  provenAt: Instant,
  { issuer, parent, candidates, algorithms }: RevocationQuestion,
): Word | undefined {
  if (!areEqual(list.signatureAlgorithm.bytes, list.signedAlgorithm.bytes)) return undefined
  const isStrong = (facts: SignatureFacts) => isStrongAt(facts, provenAt, algorithms)
  const signers = listSignersFor(issuer, parent, candidates, list.thisUpdate)
  const words = signers.flatMap(({ certificate, delegation }) => {
    const facts = factsIfSigned(list, certificate)
    if (!facts) return []
    if (!delegation) return [{ isWeak: !isStrong(facts), until: END_OF_TIME }]
    const isWeak = !isStrong(facts) || !isStrong(delegation)
    return [{ isWeak, until: certificate.notAfter }]
  })
  return bestOf(words)
}
