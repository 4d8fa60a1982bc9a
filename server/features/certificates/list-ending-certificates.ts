import { listEndingCertificates as listRows } from '#server/db/trust/certificates.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type CertificateEntry, LAST_DAYS } from '#server/domain/identity/held-certificate.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { after } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { withStanding } from './with-standing.ts'

/** Most certificates that are read: those that were revoked are left out afterwards. */
const READ = 50

export type ListEndingCertificates = { limit: number }

export type EndingCertificate = Pick<CertificateEntry, 'id' | 'name' | 'notAfter'> & {
  standing: 'expiring'
}

/**
 * The office's certificates that end within 90 days, the next to end first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listEndingCertificates(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { limit }: ListEndingCertificates,
): Promise<EndingCertificate[]> {
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'certificates.read', own, now)
  const ending = { officeId, from: now, until: after(now, LAST_DAYS), limit: READ }
  const found = await withStanding(db, await listRows(db, ending), now)
  return found
    .flatMap(({ id, name, notAfter, standing }) =>
      standing === 'expiring' ? [{ id, name, notAfter, standing }] : [],
    )
    .slice(0, limit)
}
