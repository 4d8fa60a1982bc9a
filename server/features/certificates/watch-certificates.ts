import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { listOffices } from '#server/db/people/offices.ts'
import { noticeOf } from '#server/domain/alerts/ending.ts'
import { matters, occasions } from '#server/domain/alerts/occasions.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { formatDay } from '#server/domain/time.ts'
import { warnOfEnding } from '#server/steps/alerts/warn-of-ending.ts'
import type { System } from '#server/system.ts'
import { type CertificateOfUser, certificatesOfUsers } from './certificates-of-users.ts'

type Watching = Pick<System, 'db' | 'clock'>

/**
 * Warns active users whose last certificate ends, 90, 60, 30, 15, 7 and 1 days before. With a newer certificate the warnings about
 * the older one are resolved. External signers are not warned: their certificates are their own matter.
 */
export async function watchCertificates(system: Watching): Promise<void> {
  for (const office of await listOffices(system.db)) await watchOffice(system, office)
}

async function watchOffice(system: Watching, office: Office): Promise<void> {
  const { db, clock } = system
  for (const { user, certificates } of await certificatesOfUsers(db, office, clock.now())) {
    const usable = certificates.filter(({ standing }) => standing !== 'revoked')
    await watchUser(system, office, user, usable)
  }
}

async function watchUser(
  { db, clock }: Watching,
  office: Office,
  user: User,
  certificates: readonly CertificateOfUser[],
): Promise<void> {
  const at = clock.now()
  const [last, ...older] = certificates.toSorted((one, other) => other.notAfter - one.notAfter)
  if (!last) return
  const notice = noticeOf(last.notAfter, at)
  if (notice === undefined && older.length === 0) return
  await db.transaction(async (trx) => {
    for (const { id } of older)
      await resolveAlertsAbout(trx, matters.certificateEnding(id), { at, by: null })
    if (notice === undefined) return
    await warnOfEnding(trx, {
      kind: 'certificate-ending',
      user,
      notice,
      facts: {
        on: formatDay(last.notAfter, office.timeZone),
        ...{ number: last.number, certificate: last.id },
      },
      occasionOf: (reader, of) => occasions.certificateEnding(last.id, reader, of),
      at,
    })
  })
}
