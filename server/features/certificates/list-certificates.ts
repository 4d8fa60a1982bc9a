import { z } from 'zod'
import { listCertificates as listRows } from '#server/db/trust/certificates.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import {
  type CertificateEntry,
  CertificateStanding,
  expiryOfStanding,
} from '#server/domain/identity/held-certificate.ts'
import { searchable } from '#server/domain/identity/text.ts'
import { CertificateId } from '#server/domain/ids.ts'
import { cursorText, type PageCursor, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { othersRun } from '#server/steps/documents/others-run.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'
import { maySeeHolder } from './may-see-holder.ts'
import { withStanding } from './with-standing.ts'

const PAGE = 50

/** How long a search may take, in ms: the whole page then takes less than 150. */
const PATIENCE = 110
/** A search compares so many certificates at once, and so many times however slow the machine is. */
const STRETCH = 500
const FEWEST_STRETCHES = 4

export const ListCertificates = z.object({
  /** Words of the name, the RFC or the number; ignores accents and case. */
  text: z.string().trim().max(200).optional(),
  standing: CertificateStanding.optional(),
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
  /** Whether the search ended because it took long: the page may have fewer certificates than there are. */
  wasCutShort: boolean
}

/**
 * A page of the office's certificates, latest expiry first. No index knows words or revocations: a search compares one stretch of
 * certificates after the other, and says where it stopped.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listCertificates(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { text = '', standing, behind }: ListCertificates = {},
): Promise<CertificatePage> {
  const now = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'certificates.read', own, now)
  const { officeId } = person
  const words = searchable(text).split(' ').filter(Boolean)
  const isSearch = words.length > 0 || standing !== undefined
  const limit = isSearch ? STRETCH : PAGE + 1
  const expiry = standing && expiryOfStanding(standing, now)
  const end = performance.now() + PATIENCE
  const found: ListedCertificate[] = []
  let last = behind
  for (let times = 0; times < FEWEST_STRETCHES || performance.now() < end; times += 1) {
    const rows = await listRows(db, { officeId, ...expiry, behind: last, limit })
    const judged = await withStanding(db, rows, now)
    const seen = judged.map((entry) => asSeenBy(person, entry))
    found.push(...seen.filter((entry) => isAskedFor(entry, words, standing)))
    if (rows.length < limit || found.length > PAGE) return pageOf(found)
    last = cursorOf(rows.at(-1))
    await othersRun()
  }
  return { certificates: found, next: last && cursorText(last), wasCutShort: true }
}

const asSeenBy = <Entry extends CertificateEntry>(person: Person, entry: Entry) => ({
  ...entry,
  rfc: maySeeHolder(person, entry) ? entry.rfc : undefined,
})

/** An RFC that the reader may not see finds nothing. */
function isAskedFor(
  { name, rfc, number, ...entry }: ListedCertificate,
  words: readonly string[],
  standing: CertificateStanding | undefined,
): boolean {
  if (standing !== undefined && entry.standing !== standing) return false
  const written = searchable(`${name} ${rfc ?? ''} ${number}`)
  return words.every((word) => written.includes(word))
}

/** @param found one certificate more than the page has, if there is one */
function pageOf(found: readonly ListedCertificate[]): CertificatePage {
  const certificates = found.slice(0, PAGE)
  const last = found.length > PAGE ? cursorOf(certificates.at(-1)) : undefined
  return { certificates, next: last && cursorText(last), wasCutShort: false }
}

const cursorOf = (
  entry: Pick<CertificateEntry, 'id' | 'notAfter'> | undefined,
): PageCursor<CertificateId> | undefined => entry && { at: entry.notAfter, id: entry.id }
