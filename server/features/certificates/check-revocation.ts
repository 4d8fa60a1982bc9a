import type { Actor } from '#server/domain/identity/actor.ts'
import type { CertificateId } from '#server/domain/ids.ts'
import { askIssuer, type IssuersWord } from '#server/steps/signing/ask-issuer.ts'
import type { System } from '#server/system.ts'
import { findReadableCertificate } from './find-readable-certificate.ts'

export type CheckRevocation = { certificateId: CertificateId }

/**
 * Asks the issuer of a certificate whether it was revoked. A proven answer is kept, as after a signature. Nothing of the office
 * changes, so the log has no event.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `pdf-too-complex`
 */
export async function checkRevocation(
  system: Pick<System, 'db' | 'clock' | 'trust' | 'revocation' | 'pdf'>,
  actor: Actor,
  { certificateId }: CheckRevocation,
): Promise<IssuersWord> {
  const now = system.clock.now()
  const { certificate } = await findReadableCertificate(system, actor, certificateId, now)
  const policy = await system.trust.policy(now, certificate.officeId)
  return await askIssuer(system, certificate.der, policy)
}
