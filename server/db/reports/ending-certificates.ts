import { sql } from 'kysely'
import type { Reader } from '#server/db/transaction.ts'
import { HeldCertificate } from '#server/domain/identity/held-certificate.ts'
import type { CountedCertificate } from '#server/domain/reports/certificate-counts.ts'
import type { Stretch, TimedRow } from './stretch.ts'

const { kind: Kind } = HeldCertificate.shape

/** What reports count of certificates, in the order in which they end. */
export async function listCountedCertificates(
  db: Reader,
  { officeId, from, to, behind, limit }: Stretch,
): Promise<(TimedRow & CountedCertificate)[]> {
  const query = db
    .selectFrom('certificates')
    .select(['id', 'kind', 'user_id', 'not_after'])
    .where('office_id', '=', officeId)
    .where('not_after', '>=', behind?.at ?? from)
    .where('not_after', '<=', to)
    .orderBy('not_after')
    .orderBy('id')
    .limit(limit)
  const rows = await (behind
    ? query.where(sql<boolean>`(not_after, id) > (${behind.at}, ${behind.id})`)
    : query
  ).execute()
  return rows.map(({ id, kind, user_id: user, not_after: at }) => ({
    ...{ id, at, kind: Kind.parse(kind), endsAt: at },
    holder: user === null ? 'others' : 'staff',
  }))
}
