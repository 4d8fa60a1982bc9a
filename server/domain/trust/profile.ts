import { satProfileOf } from '#server/domain/efirma/sat-profile.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import { basicConstraintsOf, keyUsageOf } from '#server/domain/x509/extensions.ts'

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
  const { kind } = satProfileOf(certificate)
  if (kind === 'csd') return refuse('csd')
  if (kind === 'unknown') return refuse('unknown-kind')
  const usage = keyUsageOf(certificate)
  if (!usage?.has('digitalSignature') || !usage.has('nonRepudiation'))
    return refuse('wrong-key-usage')
  const { publicKey } = certificate
  if (publicKey.kind !== 'rsa' || (publicKey.modulus?.length ?? 0) < 256) return refuse('weak-key')
  const holder = kind === 'efirma-legal' ? 'legal-person' : 'natural-person'
  return { kind: 'may-sign', holder }
}
