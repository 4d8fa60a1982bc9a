import { findCertificates } from '#server/db/trust/certificates.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { CertificateId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/**
 * A certificate for staff of its office.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for another office
 */
export async function findReadableCertificate(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  id: CertificateId,
  at: Instant,
): Promise<{ certificate: HeldCertificate; person: Person }> {
  const certificate = (await findCertificates(db, [id])).get(id)
  if (!certificate) throw new Problem('not-found', `no certificate ${id}`)
  const person = await authorizeOrRecord(db, actor, 'certificates.read', certificate, at)
  return { certificate, person }
}
