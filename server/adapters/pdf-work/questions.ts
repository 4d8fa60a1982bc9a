import { randomBytes } from 'node:crypto'
import type { ByteSource } from '#server/domain/bytes.ts'
import { ocspRequest } from '#server/domain/revocation/ocsp-request.ts'
import {
  inquiriesAbout,
  type RevocationInquiry,
} from '#server/domain/trust/revocation-inquiries.ts'
import { certificatesInConstancia } from '#server/domain/verification/time/judge-constancia.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { AuthorityQuestion } from '#server/ports/revocation-source.ts'
import { certificatesIn } from './certificates.ts'
import { ownBytes } from './own-bytes.ts'

/** The questions that must be asked before a file is judged, with the constancia that was shown with it. */
export const questionsIn = (
  source: ByteSource,
  policy: VerificationPolicy,
  constancia: Uint8Array | undefined,
): AuthorityQuestion[] => questionsAbout(certificatesIn(source, constancia), policy)

/** @param answer a constancia as its provider sent it */
export const questionsAboutConstancia = (
  answer: Uint8Array,
  policy: VerificationPolicy,
): AuthorityQuestion[] => questionsAbout(certificatesInConstancia(answer), policy)

/** @param certificates DER */
export const questionsAbout = (
  certificates: readonly Uint8Array[],
  policy: VerificationPolicy,
): AuthorityQuestion[] => inquiriesAbout(certificates, policy).map(questionFor)

const questionFor = ({ certificate, issuer, parent, ...places }: RevocationInquiry) => ({
  ...places,
  certificate: ownBytes(certificate.der),
  issuer: ownBytes(issuer.der),
  ...(parent && { parent: ownBytes(parent.der) }),
  request: ocspRequest(certificate, issuer, randomBytes(16)),
})
