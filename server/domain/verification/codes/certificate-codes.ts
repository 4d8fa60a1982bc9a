import type { RevocationDoubt } from '#server/domain/revocation/question.ts'
import type { RevocationReason } from '#server/domain/revocation/reason.ts'
import type { NoParameters } from './coded-fact.ts'

type Revoked = { revokedAt: string; reason: RevocationReason | null }

/** What stands against the certificate of a signer, or is odd about it. */
export type CertificateCodes = {
  /** No trust anchor issued the certificate, nor an authority below one. */
  'authority-unknown': NoParameters
  /** The certificate names a known authority that did not sign it. */
  'certificate-signature-wrong': NoParameters
  /** The certificate has expired, and nothing proves that it was used before. */
  'certificate-expired': { notAfter: string }
  /** The certificate has expired; the signer states an earlier time that nothing proves. */
  'certificate-expired-since-claimed-time': { notAfter: string }
  /** The certificate is not valid yet. */
  'certificate-not-yet-valid': { notBefore: string }
  /** A timestamp proves that the signature is older than the certificate. */
  'signed-before-certificate': { provenTime: string; notBefore: string }
  /** The certificate was not valid at the time that the signer states. */
  'certificate-invalid-at-claimed-time': NoParameters
  /** There are too many certificates to search a path among them. */
  'too-many-certificates': NoParameters
  /** A certificate of the path has a key of a size or curve that is not checked. */
  'chain-key-unsupported': NoParameters
  /** The path of certificates breaks the rules. */
  'chain-rules-broken': NoParameters
  /** A certificate of the path was signed with a weak algorithm. */
  'chain-algorithm-weak': NoParameters
  /** The certificate is for digital seals (CSD), not an e.firma. */
  'certificate-for-seals': NoParameters
  /** The certificate was not issued for signing. */
  'certificate-not-for-signing': NoParameters
  /** The certificate is not an e.firma of the SAT. */
  'certificate-not-efirma': NoParameters

  /** The certificate was revoked, and the earliest proven time is later. */
  'revoked-before-proven-time': Revoked & { provenTime: string }
  /** The certificate was revoked after the time that the signer states, which nothing proves. */
  'revoked-since-claimed-time': Revoked
  /** The certificate was revoked, and the time that the signer states is not earlier. */
  'revoked-before-claimed-time': Revoked
  /** The certificate was revoked after the proven time of the signature. */
  'revoked-after-proven-time': { revokedAt: string }
  /** An authority on the path was revoked. */
  'authority-revoked': NoParameters
  /** The anchor requires an answer about revocation, and there is none. */
  'revocation-unknown': NoParameters
  /** Revocation was not checked, and the anchor does not require it. */
  'revocation-not-checked': NoParameters
  /** Why an answer about revocation does not count. */
  'revocation-answer-doubtful': { doubt: RevocationDoubt }
  /** It was not checked whether an authority on the path was revoked. */
  'authority-revocation-not-checked': { authority: string }
}
