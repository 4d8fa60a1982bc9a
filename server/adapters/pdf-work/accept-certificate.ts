import { acceptCertificate as accept } from '#server/domain/signing/accept-certificate.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { CertificateReading } from '#server/ports/pdf-work.ts'

/** Whether a file is the certificate of an e.firma of this holder, valid at the time of the policy. Plain data, with bytes of its own. */
export function acceptCertificate(
  file: Uint8Array,
  rfc: string,
  policy: VerificationPolicy,
): CertificateReading {
  const accepted = accept(file, { now: policy.at, rfc, trust: policy })
  if (accepted.kind === 'refused') return accepted
  const { path, forTesting } = accepted
  return { kind: 'accepted', path: path.map(({ der }) => der.slice()), forTesting }
}
