import { sql } from 'kysely'
import { countUpTo } from '#server/db/count-up-to.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import type { DeadlineRow } from '#server/db/tables/obligations.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { unindexed } from '#server/db/unindexed.ts'
import { Day } from '#server/domain/day.ts'
import type { DeadlineId, DocumentId, ObligationId, OfficeId } from '#server/domain/ids.ts'
import { Deadline, type DeadlineState } from '#server/domain/obligations/deadline.ts'
import { MOST_OBLIGATIONS } from '#server/domain/obligations/obligation.ts'

/** Inserts those that are not there yet: one for an obligation and its document or month. */
export async function insertDeadlines(
  trx: Transaction,
  deadlines: readonly Deadline[],
): Promise<void> {
  for (const deadline of deadlines)
    await trx
      .insertInto('deadlines')
      .values(toRow(deadline))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
}

export async function findDeadline(
  db: Reader,
  officeId: OfficeId,
  id: DeadlineId,
): Promise<Deadline | undefined> {
  const row = await db
    .selectFrom('deadlines')
    .selectAll()
    .where('id', '=', id)
    .where('office_id', '=', officeId)
    .executeTakeFirst()
  return row && toDeadline(row)
}

/** Those of a document that are not withdrawn, the earliest first. */
export async function listDeadlinesOf(db: Reader, documentId: DocumentId): Promise<Deadline[]> {
  const rows = await db
    .selectFrom('deadlines')
    .selectAll()
    .where('document_id', '=', documentId)
    .limit(MOST_OBLIGATIONS)
    .execute()
  return rows
    .map(toDeadline)
    .filter(({ state }) => state !== 'withdrawn')
    .toSorted((a, b) => (a.dueOn < b.dueOn ? -1 : 1))
}

/** The last deadline of a page. */
export type DeadlineCursor = { dueOn: Day; id: DeadlineId }

type Listing = {
  officeId: OfficeId
  state: DeadlineState
  obligationId?: ObligationId | undefined
  from?: Day | undefined
  to?: Day | undefined
}

type Page = {
  behind?: DeadlineCursor | undefined
  /** If absent, as the state says. */
  latestFirst?: boolean
  limit: number
}

/** A page by the last day, and by id within a day: the earliest first if they are open, the latest first otherwise. */
export async function listDeadlines(
  db: Reader,
  { behind, latestFirst, limit, ...listing }: Listing & Page,
): Promise<Deadline[]> {
  const order = (latestFirst ?? listing.state !== 'open') ? 'desc' : 'asc'
  const page = behind
    ? inListing(db, listing).where(
        order === 'asc'
          ? sql<boolean>`(due_on, id) > (${behind.dueOn}, ${behind.id})`
          : sql<boolean>`(due_on, id) < (${behind.dueOn}, ${behind.id})`,
      )
    : inListing(db, listing)
  const rows = await page
    .selectAll()
    .orderBy('due_on', order)
    .orderBy('id', order)
    .limit(limit)
    .execute()
  return rows.map(toDeadline)
}

/** How many there are, at most `MOST_COUNTED`. */
export const countDeadlines = (db: Reader, listing: Listing): Promise<number> =>
  countUpTo(db, inListing(db, listing).select('id'))

function inListing(db: Reader, { officeId, state, obligationId, from, to }: Listing) {
  let query = db
    .selectFrom('deadlines')
    .where('office_id', '=', officeId)
    .where('state', '=', state)
  if (obligationId) query = query.where('obligation_id', '=', obligationId)
  if (from) query = query.where('due_on', '>=', from)
  if (to) query = query.where('due_on', '<=', to)
  return query
}

/** How many open ones end on each day of a stretch; other days are absent. */
export async function countOpenByDay(
  db: Reader,
  { officeId, obligationId, from, to }: Omit<Listing, 'state'> & { from: Day; to: Day },
): Promise<Map<Day, number>> {
  const rows = await inListing(db, { officeId, state: 'open', obligationId, from, to })
    .select(({ fn }) => ['due_on', fn.countAll<number | string>().as('count')])
    .groupBy('due_on')
    .execute()
  return new Map(rows.map(({ due_on, count }) => [Day.parse(due_on), Number(count)]))
}

/** Compare-and-swap on the state and its time: false if it is no longer as `seen`. */
export async function replaceDeadline(
  trx: Transaction,
  seen: Pick<Deadline, 'id' | 'state' | 'stateSince'>,
  next: Deadline,
): Promise<boolean> {
  const { due_on, state, state_since, state_by, done_on, note, acknowledgement, notice_on, alert } =
    toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('deadlines')
    .set({
      ...{ due_on, state, state_since, state_by, done_on, note, acknowledgement },
      ...{ notice_on, alert },
    })
    .where('id', '=', seen.id)
    .where(unindexed<string>('state'), '=', seen.state)
    .where('state_since', '=', seen.stateSince)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Deadlines in this state by id: to count them all again, in steps. */
export async function listToRecount(
  db: Reader,
  {
    officeId,
    state,
    behind,
    limit,
  }: Pick<Listing, 'officeId' | 'state'> & {
    behind: string
    limit: number
  },
): Promise<Deadline[]> {
  const rows = await db
    .selectFrom('deadlines')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('state', '=', state)
    .where('id', '>', behind)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDeadline)
}

/** Those whose next notice is due. */
export async function listToNotice(
  db: Reader,
  { officeId, today, limit }: { officeId: OfficeId; today: Day; limit: number },
): Promise<Deadline[]> {
  const rows = await db
    .selectFrom('deadlines')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('notice_on', '<=', today)
    .orderBy('notice_on')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(toDeadline)
}

/**
 * Notes the alert of a notice, and when the next one is due, with those of the ids of which the notice is still due.
 *
 * @returns their number
 */
export async function noteNotice(
  trx: Transaction,
  ids: readonly DeadlineId[],
  { today, alert, noticeOn }: { today: Day; alert: string; noticeOn: Day | null },
): Promise<number> {
  const noted = await inChunks(ids, (chunk) =>
    trx
      .updateTable('deadlines')
      .set({ alert, notice_on: noticeOn })
      .where('id', 'in', chunk)
      .where(unindexed<string>('notice_on'), '<=', today)
      .where(unindexed<string>('state'), '=', 'open')
      .returning('id')
      .execute(),
  )
  return noted.length
}

/** Whether an open one still has this alert. */
export async function isAlertNeeded(
  db: Reader,
  officeId: OfficeId,
  alert: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('deadlines')
    .select('id')
    .where('office_id', '=', officeId)
    .where('alert', '=', alert)
    .where('state', '=', 'open')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function toDeadline(row: DeadlineRow): Deadline {
  return Deadline.parse({
    ...{ id: row.id, officeId: row.office_id, obligationId: row.obligation_id },
    about:
      row.document_id === null
        ? { kind: 'month', period: row.period }
        : { kind: 'document', documentId: row.document_id, base: row.base_on },
    ...{ dueOn: row.due_on, state: row.state, stateSince: row.state_since },
    ...{ stateBy: row.state_by, doneOn: row.done_on, note: row.note },
    ...{ acknowledgement: row.acknowledgement, noticeOn: row.notice_on, alert: row.alert },
  })
}

function toRow({ about, ...deadline }: Deadline): DeadlineRow {
  const isOfDocument = about.kind === 'document'
  return {
    ...{ id: deadline.id, office_id: deadline.officeId, obligation_id: deadline.obligationId },
    document_id: isOfDocument ? about.documentId : null,
    base_on: isOfDocument ? about.base : null,
    period: isOfDocument ? null : about.period,
    ...{ due_on: deadline.dueOn, state: deadline.state, state_since: deadline.stateSince },
    ...{ state_by: deadline.stateBy, done_on: deadline.doneOn, note: deadline.note },
    ...{ acknowledgement: deadline.acknowledgement, notice_on: deadline.noticeOn },
    alert: deadline.alert,
  }
}
