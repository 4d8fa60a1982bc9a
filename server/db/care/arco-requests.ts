import { isAfterCursor } from '#server/db/after-cursor.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { ArcoRequestRow } from '#server/db/tables/care.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import {
  ArcoRequest,
  type ArcoState,
  type ArcoStep,
  ArcoStepKind,
} from '#server/domain/care/arco-request.ts'
import type { Day } from '#server/domain/day.ts'
import type { Rfc } from '#server/domain/identity/rfc.ts'
import { type ArcoRequestId, type OfficeId, UserId } from '#server/domain/ids.ts'
import type { PageCursor } from '#server/domain/page-cursor.ts'

/** Serializes the numbers of the requests of an office. Held alone. */
export const lockArcoNumbers = (trx: Transaction, officeId: OfficeId) =>
  lockUntilCommit(trx, `arco:${officeId}`)

/** The number after the last one of the year. The caller holds `lockArcoNumbers`. */
export async function findNextArcoNumber(
  trx: Transaction,
  officeId: OfficeId,
  year: number,
): Promise<number> {
  const row = await trx
    .selectFrom('arco_requests')
    .select('number')
    .where('office_id', '=', officeId)
    .where('year', '=', year)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (row?.number ?? 0) + 1
}

export async function insertArcoRequest(trx: Transaction, request: ArcoRequest): Promise<void> {
  await trx.insertInto('arco_requests').values(toRow(request)).execute()
}

export async function findArcoRequest(
  db: Reader,
  id: ArcoRequestId,
): Promise<ArcoRequest | undefined> {
  const row = await db
    .selectFrom('arco_requests')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  return row && toRequest(row)
}

export type ArcoFilter = {
  officeId: OfficeId
  state?: ArcoState | undefined
  behind?: PageCursor<ArcoRequestId> | undefined
  limit: number
}

/** Newest first. */
export async function listArcoRequests(db: Reader, filter: ArcoFilter): Promise<ArcoRequest[]> {
  const { officeId, state, behind, limit } = filter
  let query = db.selectFrom('arco_requests').selectAll().where('office_id', '=', officeId)
  if (state !== undefined) query = query.where('state', '=', state)
  if (behind) query = query.where(isAfterCursor(behind, 'created_at'))
  const rows = await query
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(toRequest)
}

/** The requests of a person behind one of them, in the order of their ids. */
export async function listArcoRequestsOf(
  db: Reader,
  { officeId, rfc }: { officeId: OfficeId; rfc: Rfc },
  { behind, limit }: { behind: string | undefined; limit: number },
): Promise<ArcoRequest[]> {
  let query = db
    .selectFrom('arco_requests')
    .selectAll()
    .where('office_id', '=', officeId)
    .where('rfc', '=', rfc)
  if (behind !== undefined) query = query.where('id', '>', behind)
  const rows = await query.orderBy('id').limit(limit).execute()
  return rows.map(toRequest)
}

/** Requests of all offices whose term ends up to a day, the most urgent first. */
export async function listDueArcoRequests(
  db: Reader,
  { until, behind, limit }: { until: Day; behind?: ArcoRequest | undefined; limit: number },
): Promise<ArcoRequest[]> {
  let query = db
    .selectFrom('arco_requests')
    .selectAll()
    .where('due_on', 'is not', null)
    .where('due_on', '<=', until)
  if (behind?.dueOn)
    query = query.where(({ eb, refTuple, tuple }) =>
      eb(refTuple('due_on', 'id'), '>', tuple(behind.dueOn as string, behind.id as string)),
    )
  const rows = await query.orderBy('due_on').orderBy('id').limit(limit).execute()
  return rows.map(toRequest)
}

/** Compare-and-swap: false if another request changed it since it was read. */
export async function replaceArcoRequest(
  trx: Transaction,
  seen: ArcoRequest,
  next: ArcoRequest,
): Promise<boolean> {
  const { id, ...values } = toRow(next)
  const { numUpdatedRows } = await trx
    .updateTable('arco_requests')
    .set(values)
    .where('id', '=', id)
    .where('state', '=', seen.state)
    .where('state_since', '=', seen.stateSince)
    .where('extended_on', seen.extended === null ? 'is' : '=', seen.extended?.on ?? null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Appends a step. @throws if another transaction appended one at the same time */
export async function insertArcoStep(
  trx: Transaction,
  requestId: ArcoRequestId,
  { kind, at, by, note }: ArcoStep,
): Promise<void> {
  const { place } = await trx
    .selectFrom('arco_steps')
    .select(({ fn }) => fn.countAll<number | string>().as('place'))
    .where('request_id', '=', requestId)
    .executeTakeFirstOrThrow()
  const row = { request_id: requestId, place: Number(place), kind, at, by_user: by, note }
  await trx.insertInto('arco_steps').values(row).execute()
}

/** In the order in which they were done. */
export async function listArcoSteps(db: Reader, requestId: ArcoRequestId): Promise<ArcoStep[]> {
  const rows = await db
    .selectFrom('arco_steps')
    .selectAll()
    .where('request_id', '=', requestId)
    .orderBy('place')
    .execute()
  return rows.map(({ kind, at, by_user, note }) => ({
    ...{ kind: ArcoStepKind.parse(kind), by: UserId.parse(by_user) },
    ...{ at, note },
  }))
}

function toRequest(row: ArcoRequestRow): ArcoRequest {
  const { extended_term: term, extended_on: on } = row
  return ArcoRequest.parse({
    ...row,
    officeId: row.office_id,
    receivedOn: row.received_on,
    terms: JSON.parse(row.terms),
    stateSince: row.state_since,
    dueOn: row.due_on,
    extended: term === null ? null : { term, on },
    identity: row.identity === null ? null : JSON.parse(row.identity),
    answer: row.answer === null ? null : JSON.parse(row.answer),
    createdAt: row.created_at,
    createdBy: row.created_by,
  })
}

const toRow = (request: ArcoRequest): ArcoRequestRow => ({
  ...{ id: request.id, office_id: request.officeId, year: request.year, number: request.number },
  ...{ kind: request.kind, way: request.way, received_on: request.receivedOn },
  ...{ name: request.name, rfc: request.rfc, email: request.email, asked: request.asked },
  ...{ terms: JSON.stringify(request.terms), state: request.state },
  ...{ state_since: request.stateSince, due_on: request.dueOn },
  extended_term: request.extended?.term ?? null,
  extended_on: request.extended?.on ?? null,
  identity: request.identity && JSON.stringify(request.identity),
  answer: request.answer && JSON.stringify(request.answer),
  ...{ created_at: request.createdAt, created_by: request.createdBy },
})
