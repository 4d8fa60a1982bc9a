import { listEndingCertificates as listRows } from '#server/db/trust/certificates.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { type CertificateEntry, LAST_DAYS } from '#server/domain/identity/held-certificate.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { after } from '#server/domain/time.ts'
import { othersRun } from '#server/steps/documents/others-run.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { withStanding } from './with-standing.ts'

/** So many certificates are read at once: no index knows which of them were revoked. */
const STRETCH = 50
/** More are not read for one page. */
const MOST_STRETCHES = 40

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
  const ending = { officeId, from: now, until: after(now, LAST_DAYS), limit: STRETCH }
  const found: EndingCertificate[] = []
  let last: CertificateEntry | undefined
  for (let read = 0; read < MOST_STRETCHES; read += 1) {
    const behind = last && { at: last.notAfter, id: last.id }
    const rows = await listRows(db, { ...ending, behind })
    for (const { id, name, notAfter, standing } of await withStanding(db, rows, now))
      if (standing === 'expiring') found.push({ id, name, notAfter, standing })
    if (rows.length < STRETCH || found.length >= limit) break
    last = rows.at(-1)
    await othersRun()
  }
  return found.slice(0, limit)
}
