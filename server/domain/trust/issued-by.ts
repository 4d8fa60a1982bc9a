import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { checkOnce } from './check-once.ts'
import type { SignatureCheck, SignatureFacts } from './signature-algorithm.ts'

/** Whether the key of `issuer` signed `certificate`; names are not compared. @see RFC 5280, 4.1.1.2 */
export function checkIssuedBy(certificate: Certificate, issuer: Certificate): SignatureCheck {
  const check = checkOnce(certificate, issuer)
  const { signatureAlgorithm, signedAlgorithm } = certificate
  if (check.kind === 'checked' && !areEqual(signatureAlgorithm.bytes, signedAlgorithm.bytes))
    return { ...check, isVerified: false }
  return check
}

/** What `issuer` signed `certificate` with; undefined unless `certificate` names it and carries its signature. */
export function factsIfIssued(
  certificate: Certificate,
  issuer: Certificate,
): SignatureFacts | undefined {
  if (!areSameName(certificate.issuer, issuer.subject)) return undefined
  const check = checkIssuedBy(certificate, issuer)
  return check.kind === 'checked' && check.isVerified ? check.facts : undefined
}

/** Whether `certificate` names `issuer` and carries its signature. */
export const isIssuedBy = (certificate: Certificate, issuer: Certificate): boolean =>
  factsIfIssued(certificate, issuer) !== undefined

export const isSelfIssued = ({ issuer, subject }: Certificate) =>
  areEqual(issuer.bytes, subject.bytes)

export const isSelfSigned = (certificate: Certificate) =>
  isSelfIssued(certificate) && isIssuedBy(certificate, certificate)
