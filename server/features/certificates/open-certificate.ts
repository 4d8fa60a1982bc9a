import type { Actor } from '#server/domain/identity/actor.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { CertificateId } from '#server/domain/ids.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { findReadableCertificate } from './find-readable-certificate.ts'
import { maySeeHolder } from './may-see-holder.ts'

export type OpenCertificate = { certificateId: CertificateId }

/**
 * The certificate as it came. It holds RFC, CURP and e-mail address: only those who may see them elsewhere get it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function openCertificate(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { certificateId }: OpenCertificate,
): Promise<Pick<HeldCertificate, 'der' | 'sha256' | 'number'>> {
  const at = clock.now()
  const { certificate, person } = await findReadableCertificate({ db }, actor, certificateId, at)
  if (!maySeeHolder(person, certificate))
    await authorizeOrRecord(db, actor, 'users.read', certificate, at)
  return certificate
}
