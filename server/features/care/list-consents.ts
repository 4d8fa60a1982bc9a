import { z } from 'zod'
import { listConsentRecords } from '#server/db/care/consents.ts'
import { findDocuments } from '#server/db/documents/documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { listNoticeVersions } from '#server/db/people/privacy-notices.ts'
import type { Reader } from '#server/db/transaction.ts'
import { ConsentKind, type ConsentRecord } from '#server/domain/care/consent.ts'
import { Day } from '#server/domain/day.ts'
import { instantsOf } from '#server/domain/documents/document-filters.ts'
import type { Folio } from '#server/domain/documents/folio.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Rfc } from '#server/domain/identity/rfc.ts'
import { ConsentId, type OfficeId, Sha256 } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

const ConsentFilters = z.object({
  kind: ConsentKind.optional(),
  /** SHA-256 of the aviso that was accepted. */
  notice: Sha256.optional(),
  rfc: Rfc.optional(),
  /** Days in the office's time zone, both included. */
  from: Day.optional(),
  to: Day.optional(),
})
type ConsentFilters = z.infer<typeof ConsentFilters>

export const ListConsents = ConsentFilters.extend({
  /** The `next` of the previous page. */
  behind: pageCursor(ConsentId).optional(),
})
export type ListConsents = z.infer<typeof ListConsents>

export type ListedConsent = ConsentRecord & {
  /** Of the document that it is about; null if it is about none. */
  folio: Folio | null
  /** The number of the aviso that was accepted; null for the text of the system, and for other kinds. */
  version: number | null
}

export type ConsentPage = {
  office: Office
  consents: ListedConsent[]
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of what people consented to, newest first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listConsents(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { behind, size = 50, ...asked }: ListConsents & { size?: number },
): Promise<ConsentPage> {
  const { db } = system
  const office = await officeOfReader(system, actor)
  const filter = filterOf(asked, office)
  const found = await listConsentRecords(db, { ...filter, behind, limit: size + 1 })
  const page = found.slice(0, size)
  const last = found.length > size ? page.at(-1) : undefined
  return { office, consents: await withNames(db, office.id, page), next: last && cursorText(last) }
}

/**
 * All consents of the filters, newest first, for a file. Other requests run in between. Logged before the first line is sent.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function exportConsents(
  system: Pick<System, 'db' | 'eventQueue' | 'clock'>,
  actor: Actor,
  asked: ConsentFilters,
): Promise<{ office: Office; lines: AsyncGenerator<ListedConsent> }> {
  const { db, eventQueue, clock } = system
  const office = await officeOfReader(system, actor)
  await eventQueue.append({
    ...{ actor, at: clock.now(), action: 'consents.exported' },
    subject: { kind: 'office', id: office.id },
    details: { kind: asked.kind ?? null, from: asked.from ?? null, to: asked.to ?? null },
  })
  return { office, lines: linesOf(db, filterOf(asked, office)) }
}

async function officeOfReader(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Office> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'consents.read', own, clock.now())
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  return office
}

type Filter = Omit<Parameters<typeof listConsentRecords>[1], 'behind' | 'limit'>

const filterOf = ({ from, to, ...rest }: ConsentFilters, office: Office): Filter => ({
  ...rest,
  officeId: office.id,
  ...instantsOf({ from, to }, office.timeZone),
})

const CHUNK = 500

async function* linesOf(db: System['db'], filter: Filter): AsyncGenerator<ListedConsent> {
  const letOthersRun = turnTaker()
  for (let behind: ConsentRecord | undefined; ; ) {
    const records = await listConsentRecords(db, { ...filter, behind, limit: CHUNK })
    yield* await withNames(db, filter.officeId, records)
    behind = records.at(-1)
    if (records.length < CHUNK) return
    await letOthersRun()
  }
}

async function withNames(
  db: Reader,
  officeId: OfficeId,
  records: readonly ConsentRecord[],
): Promise<ListedConsent[]> {
  const documents = await findDocuments(
    db,
    records.flatMap(({ documentId }) => documentId ?? []),
  )
  const written = await listNoticeVersions(db, officeId)
  const versions = new Map(written.map(({ sha256, version }) => [sha256, version]))
  return records.map((record) => ({
    ...record,
    folio: (record.documentId && documents.get(record.documentId)?.folio) ?? null,
    version: (record.notice && versions.get(record.notice)) ?? null,
  }))
}
