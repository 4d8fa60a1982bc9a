import type { Reader } from '#server/db/transaction.ts'
import { listAnswersAboutRevoked } from '#server/db/trust/revocation-answers.ts'
import {
  type CertificateEntry,
  type CertificateStanding,
  standingOf,
} from '#server/domain/identity/held-certificate.ts'
import { isKnownRevoked } from '#server/domain/revocation/known-revoked.ts'
import type { Instant } from '#server/domain/time.ts'

/** Adds the status of each certificate, from the revocation answers at hand; no authority is asked. */
export async function withStanding(
  db: Reader,
  entries: readonly CertificateEntry[],
  now: Instant,
): Promise<(CertificateEntry & { standing: CertificateStanding })[]> {
  const answers = await listAnswersAboutRevoked(
    db,
    entries.map(({ sha256 }) => sha256),
  )
  return entries.map((entry) => {
    const isRevoked = isKnownRevoked(answers.get(entry.sha256) ?? [])
    return { ...entry, standing: standingOf(entry, now, isRevoked) }
  })
}
