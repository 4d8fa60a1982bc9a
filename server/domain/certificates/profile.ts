import type { Certificate } from '../efirma/certificate.ts'
import { basicConstraintsOf, keyUsageOf } from '../efirma/extensions.ts'

/** Whether a certificate of the SAT may sign documents, and in whose name. */
export type SigningProfile =
  | { kind: 'may-sign'; holder: 'natural-person' | 'legal-person' }
  | {
      kind: 'may-not-sign'
      reason: 'csd' | 'unknown-kind' | 'authority-certificate' | 'wrong-key-usage' | 'weak-key'
    }

/**
 * An e.firma may sign; a CSD never, an unknown kind never.
 *
 * @throws {DerError} if its key usage or basic constraints cannot be read
 */
export function signingProfileOf(certificate: Certificate): SigningProfile {
  const refuse = (reason: Extract<SigningProfile, { reason: string }>['reason']) =>
    ({ kind: 'may-not-sign', reason }) as const
  if (basicConstraintsOf(certificate)?.isAuthority) return refuse('authority-certificate')
  if (certificate.kind === 'csd') return refuse('csd')
  if (certificate.kind === 'unknown') return refuse('unknown-kind')
  const usage = keyUsageOf(certificate)
  if (!usage?.has('digitalSignature') || !usage.has('nonRepudiation'))
    return refuse('wrong-key-usage')
  const { kind, modulus } = certificate.publicKey
  if (kind !== 'rsa' || (modulus?.length ?? 0) < 256) return refuse('weak-key')
  const holder = certificate.kind === 'efirma-legal' ? 'legal-person' : 'natural-person'
  return { kind: 'may-sign', holder }
}
