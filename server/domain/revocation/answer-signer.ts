import { DerError } from '#server/domain/asn1/der.ts'
import { areEqual } from '#server/domain/asn1/der-values.ts'
import { ID_OCSP_NO_CHECK, ID_OCSP_SIGNING } from '#server/domain/asn1/object-identifiers.ts'
import { type Instant, latest } from '#server/domain/time.ts'
import { type AlgorithmPolicy, isStrongAt } from '#server/domain/trust/algorithm-policy.ts'
import { factsIfIssued } from '#server/domain/trust/issued-by.ts'
import { hasUnknownCriticalExtension } from '#server/domain/trust/path-rules.ts'
import type { SignatureFacts } from '#server/domain/trust/signature-algorithm.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { extendedKeyUsageOf, keyUsageOf } from '#server/domain/x509/extensions.ts'
import { areSameName } from '#server/domain/x509/name.ts'

/** What an answer is worth by one certificate of the key that signed it. */
export type Word = {
  isWeak: boolean
  /** The end of that certificate, which vouches for no later time: the key may be in other hands since. */
  until: Instant
}

/** A strong one, until the latest end: authorities renew the certificate of a key, and a file may bring both. */
export function bestOf(words: readonly Word[]): Word | undefined {
  const strong = words.filter(({ isWeak }) => !isWeak)
  const [first, ...more] = strong.length > 0 ? strong : words
  return first && { ...first, until: latest(first.until, ...more.map(({ until }) => until)) }
}

/**
 * Whether the authority lets `responder` answer for it at `at`: its own key signed the delegation, which is
 * for answering alone, and the key is not that of the certificate in question.
 *
 * @see RFC 6960, 4.2.2.2
 */
export function isDelegatedResponder(
  responder: Certificate,
  question: {
    certificate: Certificate
    issuer: Certificate
    at: Instant
    /** When the delegation is proven to exist. */
    provenAt: Instant
    algorithms: AlgorithmPolicy
  },
): boolean {
  const { certificate, issuer, at, provenAt, algorithms } = question
  if (at < responder.notBefore || at > responder.notAfter) return false
  // A responder must not answer about its own key.
  if (areEqual(responder.publicKey.spki, certificate.publicKey.spki)) return false
  const delegation = mayAnswer(responder) ? factsIfIssued(responder, issuer) : undefined
  return delegation !== undefined && isStrongAt(delegation, provenAt, algorithms)
}

function mayAnswer(responder: Certificate): boolean {
  return readable(() => {
    const usage = keyUsageOf(responder)
    const isForSigning = !usage || usage.has('digitalSignature') || usage.has('nonRepudiation')
    return (
      isForSigning &&
      extendedKeyUsageOf(responder)?.includes(ID_OCSP_SIGNING) === true &&
      !hasUnknownCriticalExtension(responder)
    )
  })
}

/** The authority asks not to look whether its responder was revoked. @see RFC 6960, 4.2.2.2.1 */
export const isExemptFromChecks = ({ extensions }: Certificate) =>
  extensions.some(({ oid }) => oid === ID_OCSP_NO_CHECK)

export type ListSigner = {
  certificate: Certificate
  /** Of the signature on the certificate; undefined for the issuer itself, which the path judges. */
  delegation: SignatureFacts | undefined
}

/**
 * Those of `candidates` that may sign lists for `issuer`: the issuer itself, and certificates of the same
 * authority for another key, issued by the key that issued `issuer` or by its own.
 *
 * @param at when the list was made
 * @see RFC 5280, 6.3.3 (f)
 */
export function listSignersFor(
  issuer: Certificate,
  parent: Certificate | undefined,
  candidates: readonly Certificate[],
  at: Instant,
): ListSigner[] {
  const others = candidates
    .filter(({ subject }) => areSameName(subject, issuer.subject))
    .filter(({ publicKey }) => !areEqual(publicKey.spki, issuer.publicKey.spki))
    .filter(({ notBefore, notAfter }) => notBefore <= at && at <= notAfter)
    .slice(0, MOST_NAMESAKES)
    .filter((other) => maySignLists(other, false) && !hasUnknownCriticalExtension(other))
    .flatMap((other) => {
      const delegation = factsIfIssued(other, issuer) ?? (parent && factsIfIssued(other, parent))
      return delegation ? [{ certificate: other, delegation }] : []
    })
  const itself = { certificate: issuer, delegation: undefined }
  return maySignLists(issuer, true) ? [itself, ...others] : others
}

const MOST_NAMESAKES = 20

/** @see RFC 5280, 4.2.1.3: cRLSign */
const maySignLists = (certificate: Certificate, unlessSaid: boolean) =>
  readable(() => keyUsageOf(certificate)?.has('cRLSign') ?? unlessSaid)

/** What cannot be read allows nothing. */
function readable(isSo: () => boolean): boolean {
  try {
    return isSo()
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}
