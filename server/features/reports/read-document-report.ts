import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  listUploadedDocuments,
  type UploadedDocument,
} from '#server/db/documents/uploaded-documents.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { Day, dayOf, endOfDay, startOfDay } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  createDocumentCounter,
  type DocumentCounts,
} from '#server/domain/reports/document-counts.ts'
import type { Instant } from '#server/domain/time.ts'
import { turnTaker } from '#server/steps/audit/turn-taker.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ReadDocumentReport = z.object({
  /** The first and the last day of the upload, in the office's time zone; if absent, this year's first day and today. */
  from: Day.optional(),
  to: Day.optional(),
})
export type ReadDocumentReport = z.infer<typeof ReadDocumentReport>

/** A page counts no more documents; a file counts all. */
export const MOST_DOCUMENTS_COUNTED = 100_000

type Form = {
  as: 'page' | 'file'
  most?: number
  /** Documents that are read at once. */
  step?: number
  /** The request: without its reader the counting ends. */
  signal?: AbortSignal
}

export type DocumentReport = {
  period: { from: Day; to: Day }
  /** Undefined if there are more than may be counted. */
  counts: DocumentCounts | undefined
}

/**
 * Counts the documents of a period by kind, state and month of the upload. Each document costs the same; other requests run in
 * between.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function readDocumentReport(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  asked: ReadDocumentReport,
  { as, most = as === 'page' ? MOST_DOCUMENTS_COUNTED : Infinity, step = STEP, signal }: Form,
): Promise<DocumentReport> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'reports.read', own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const { timeZone } = office
  const today = dayOf(at, timeZone)
  const period = {
    from: asked.from ?? Day.parse(`${today.slice(0, 4)}-01-01`),
    to: asked.to ?? today,
  }
  const instants = { from: startOfDay(period.from, timeZone), to: endOfDay(period.to, timeZone) }
  const counts = await countIn(db, office, instants, { most, step, signal })
  await db.transaction((trx) =>
    appendEvent(trx, {
      ...{ actor, at, action: as === 'page' ? 'report.read' : 'report.exported' },
      subject: { kind: 'office', id: officeId },
      details: { report: 'documents', from: period.from, to: period.to },
    }),
  )
  return { period, counts }
}

async function countIn(
  db: System['db'],
  { id, timeZone }: Office,
  instants: { from: Instant; to: Instant },
  { most, step, signal }: { most: number; step: number; signal: AbortSignal | undefined },
): Promise<DocumentCounts | undefined> {
  const letOthersRun = turnTaker()
  const counter = createDocumentCounter(timeZone)
  let behind: UploadedDocument | undefined
  for (let left = most; left >= 0; left -= step) {
    signal?.throwIfAborted()
    const limit = Math.min(step, left + 1)
    const documents = await listUploadedDocuments(db, id, { ...instants, behind, limit })
    for (const document of documents) counter.add(document)
    if (documents.length < limit) return counter.counts()
    behind = documents.at(-1)
    await letOthersRun()
  }
  return undefined
}

const STEP = 2000
