import type { Instant } from '#server/domain/time.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { System } from '#server/system.ts'

/**
 * When the certificate was revoked; null if it was not or the authority does not answer: signing does not wait
 * for an authority that is down.
 *
 * @param path from the signer to the anchor
 */
export async function findRevocation(
  { revocation, pdf }: Pick<System, 'revocation' | 'pdf'>,
  [certificate, issuer]: readonly Certificate[],
  policy: VerificationPolicy,
): Promise<Instant | null> {
  if (!certificate || !issuer) return null
  const evidence = await revocation.answersAbout([certificate.der], policy)
  // Without an answer nothing is known, and no thread needs to say so.
  if (evidence.ocsp.length + evidence.crls.length === 0) return null
  const path = [certificate.der, issuer.der]
  const judged = await pdf.signersRevocation(path, { ...policy, evidence })
  return judged.status === 'revoked' ? judged.revokedAt : null
}
