import { z } from 'zod'
import { listCertificates as listRows } from '#server/db/trust/certificates.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type {
  CertificateEntry,
  CertificateStanding,
} from '#server/domain/identity/held-certificate.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { maySeeHolder } from './may-see-holder.ts'
import { withStanding } from './with-standing.ts'

const PAGE = 50

export const ListCertificates = z.object({
  /** The `next` of the previous page. */
  behind: pageCursor(CertificateId).optional(),
})
export type ListCertificates = z.infer<typeof ListCertificates>

export type ListedCertificate = Omit<CertificateEntry, 'rfc'> & {
  standing: CertificateStanding
  /** Undefined if the reader may not see it; null if the certificate has none. */
  rfc: string | null | undefined
}

export type CertificatePage = {
  certificates: ListedCertificate[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the office's certificates, latest expiry first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listCertificates(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { behind }: ListCertificates = {},
): Promise<CertificatePage> {
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'certificates.read', own, now)
  const { officeId } = person
  const found = await listRows(db, { officeId, behind, limit: PAGE + 1 })
  const shown = await withStanding(db, found.slice(0, PAGE), now)
  const last = found.length > PAGE ? shown.at(-1) : undefined
  return {
    certificates: shown.map((entry) => asSeenBy(person, entry)),
    next: last && cursorText({ at: last.notAfter, id: last.id }),
  }
}

const asSeenBy = <Entry extends CertificateEntry>(person: Person, entry: Entry) => ({
  ...entry,
  rfc: maySeeHolder(person, entry) ? entry.rfc : undefined,
})
