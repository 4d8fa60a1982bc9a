import { listUsers } from '#server/db/people/users.ts'
import type { Reader } from '#server/db/transaction.ts'
import { listLastCertificatesOf } from '#server/db/trust/certificates.ts'
import type {
  CertificateEntry,
  CertificateStanding,
} from '#server/domain/identity/held-certificate.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { Instant } from '#server/domain/time.ts'
import { withStanding } from './with-standing.ts'

/** Of a user, those that end last; the earlier ones are over, or were replaced. */
const MOST_CERTIFICATES = 8

export type CertificateOfUser = CertificateEntry & { standing: CertificateStanding }

/** The active users of the office, each with the certificates that end last. */
export async function certificatesOfUsers(
  db: Reader,
  office: Office,
  now: Instant,
): Promise<{ user: User; certificates: CertificateOfUser[] }[]> {
  const users = (await listUsers(db, office.id)).filter(({ state }) => state === 'active')
  const ids = users.map(({ id }) => id)
  const last = await listLastCertificatesOf(db, ids, MOST_CERTIFICATES)
  const found = Map.groupBy(await withStanding(db, last, now), ({ userId }) => userId)
  return users.map((user) => ({ user, certificates: found.get(user.id) ?? [] }))
}
