import { areEqual } from '#server/domain/asn1/der-values.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { areSameName } from '#server/domain/x509/name.ts'
import { checkSignature, type SignatureCheck } from './signature-algorithm.ts'

/** Whether the key of `issuer` signed `certificate`; names are not compared. @see RFC 5280, 4.1.1.2 */
export function checkIssuedBy(certificate: Certificate, issuer: Certificate): SignatureCheck {
  const check = checkSignature({
    algorithm: certificate.signatureAlgorithm,
    spki: issuer.publicKey.spki,
    signed: certificate.tbs,
    signature: certificate.signature,
  })
  const { signatureAlgorithm, signedAlgorithm } = certificate
  if (check.kind === 'checked' && !areEqual(signatureAlgorithm.bytes, signedAlgorithm.bytes))
    return { ...check, isVerified: false }
  return check
}

/** Whether `certificate` names `issuer` and carries its signature. */
export function isIssuedBy(certificate: Certificate, issuer: Certificate): boolean {
  if (!areSameName(certificate.issuer, issuer.subject)) return false
  const check = checkIssuedBy(certificate, issuer)
  return check.kind === 'checked' && check.isVerified
}

export const isSelfIssued = ({ issuer, subject }: Certificate) =>
  areEqual(issuer.bytes, subject.bytes)

export const isSelfSigned = (certificate: Certificate) =>
  isSelfIssued(certificate) && isIssuedBy(certificate, certificate)
