import { randomUUID } from 'node:crypto'
import { findDocuments } from '#server/db/documents/documents.ts'
import {
  areDeadlinesDue,
  listSessionActs,
  takeDeadlinesDue,
} from '#server/db/obligations/deadline-marks.ts'
import { insertDeadlines } from '#server/db/obligations/deadlines.ts'
import { lockObligations } from '#server/db/obligations/obligations.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { dayOf } from '#server/domain/day.ts'
import { DeadlineId } from '#server/domain/ids.ts'
import type { Deadline } from '#server/domain/obligations/deadline.ts'
import { baseDayOf, isLongOver } from '#server/domain/obligations/due-day.ts'
import { firstNoticeOn } from '#server/domain/obligations/notices.ts'
import type { Instant } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'
import { type CountedDocument, dueDayBy, type Terms, termsOfOffice } from './terms-of-office.ts'

/** On SQLite nothing else runs meanwhile. */
const AT_ONCE = 20

/**
 * Sets the deadlines that follow from documents that were signed. If we crash, a document that was not reached is still marked;
 * what is there already stays.
 *
 * @param stopping ends the run after the current documents
 */
export async function setDeadlines(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  stopping?: AbortSignal,
): Promise<void> {
  // Reads first: most runs find nothing, and need not write.
  if (!(await areDeadlinesDue(db))) return
  for (let taken = AT_ONCE; taken > 0 && !stopping?.aborted; ) {
    taken = await db.transaction((trx) => setSome(trx, clock.now()))
    await turn()
  }
}

async function setSome(trx: Transaction, at: Instant): Promise<number> {
  const marks = await takeDeadlinesDue(trx, AT_ONCE)
  const documents = await findDocuments(trx, marks.keys())
  const sessionActs = await listSessionActs(trx, marks.keys())
  const byOffice = Map.groupBy(documents.values(), ({ officeId }) => officeId)
  for (const [officeId, own] of [...byOffice].toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )) {
    // A change of the terms is either seen here, or counts these deadlines again.
    await lockObligations(trx, officeId)
    const terms = await termsOfOffice(trx, officeId)
    if (!terms) continue
    const deadlines = own.flatMap((document) => {
      const counted = { document, sessionActs: sessionActs.get(document.id) ?? [] }
      return deadlinesOf(terms, counted, marks.get(document.id) ?? document.stateSince, at)
    })
    await insertDeadlines(trx, deadlines)
  }
  return marks.size
}

function deadlinesOf(
  terms: Terms,
  counted: CountedDocument,
  signedAt: Instant,
  at: Instant,
): Deadline[] {
  const { id: documentId, officeId, instrument } = counted.document
  const base = baseDayOf(instrument?.date ?? null, dayOf(signedAt, terms.office.timeZone))
  if (base === null) return []
  const about = { kind: 'document', documentId, base } as const
  const today = dayOf(at, terms.office.timeZone)
  return [...terms.obligations.keys()].flatMap((obligationId) => {
    const dueOn = dueDayBy(terms, { obligationId, about }, counted)
    return dueOn === null || isLongOver(dueOn, today)
      ? []
      : [newDeadline({ officeId, obligationId, about, dueOn }, at)]
  })
}

/** A deadline of which nothing is done yet. */
export const newDeadline = (
  facts: Pick<Deadline, 'officeId' | 'obligationId' | 'about' | 'dueOn'>,
  at: Instant,
): Deadline => ({
  ...{ ...facts, id: DeadlineId.parse(randomUUID()) },
  ...{ state: 'open', stateSince: at, stateBy: null },
  ...{ doneOn: null, note: null, acknowledgement: null },
  ...{ noticeOn: firstNoticeOn(facts.dueOn), alert: null },
})

/** Lets requests run between two transactions of SQLite. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
