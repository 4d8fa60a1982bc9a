import { listCertificates as listCertificateRows } from '#server/db/trust/certificates.ts'
import { listAnswersAboutRevoked } from '#server/db/trust/revocation-answers.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import {
  type CertificateStanding,
  type HeldCertificate,
  standingOf,
} from '#server/domain/identity/held-certificate.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { isKnownRevoked } from '#server/domain/revocation/known-revoked.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type ListedCertificate = HeldCertificate & { standing: CertificateStanding }

/**
 * The office's certificates and their status, from the revocation answers at hand; no authority is asked for
 * this list.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listCertificates(system: System, actor: Actor): Promise<ListedCertificate[]> {
  const { db, clock } = system
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'certificates.read', own, now)
  const certificates = await listCertificateRows(db, person.officeId)
  const answers = await listAnswersAboutRevoked(
    db,
    certificates.map(({ sha256 }) => sha256),
  )
  return certificates.map((held) => {
    const isRevoked = isKnownRevoked(answers.get(held.sha256) ?? [])
    return { ...held, standing: standingOf(held, now, isRevoked) }
  })
}
