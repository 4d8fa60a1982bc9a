import { randomBytes } from 'node:crypto'
import type { ByteSource } from '#server/domain/bytes.ts'
import { ocspRequest } from '#server/domain/revocation/ocsp-request.ts'
import {
  inquiriesAbout,
  type RevocationInquiry,
} from '#server/domain/trust/revocation-inquiries.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { AuthorityQuestion } from '#server/ports/revocation-source.ts'
import { certificatesIn } from './certificates.ts'

/** The questions that must be asked before a file is judged, with the constancia that was shown with it. */
export const questionsIn = (
  source: ByteSource,
  policy: VerificationPolicy,
  constancia: Uint8Array | undefined,
): AuthorityQuestion[] => questionsAbout(certificatesIn(source, constancia), policy)

/** @param certificates DER */
export const questionsAbout = (
  certificates: readonly Uint8Array[],
  policy: VerificationPolicy,
): AuthorityQuestion[] => inquiriesAbout(certificates, policy).map(questionFor)

const questionFor = ({ certificate, issuer, parent, ...places }: RevocationInquiry) => ({
  ...places,
  certificate: ownBytes(certificate),
  issuer: ownBytes(issuer),
  ...(parent && { parent: ownBytes(parent) }),
  request: ocspRequest(certificate, issuer, randomBytes(16)),
})

/* Of a view the whole buffer behind it would cross to the other thread. */
const ownBytes = ({ der }: Certificate) => der.slice()
