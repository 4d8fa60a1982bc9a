import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findArcoRequest,
  findNextArcoNumber,
  insertArcoRequest,
  insertArcoStep,
  lockArcoNumbers,
} from '#server/db/care/arco-requests.ts'
import { listArcoTerms } from '#server/db/care/arco-terms.ts'
import { listOwnDays } from '#server/db/obligations/non-working-days.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import {
  ArcoFacts,
  type ArcoRequest,
  arcoNumber,
  dueDayOf,
  FEDERAL_TERMS,
} from '#server/domain/care/arco-request.ts'
import { idMadeOnce } from '#server/domain/crypto/made-once.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const RecordArcoRequest = ArcoFacts.extend({
  /** Made by the page of the form: the same one records no second request. */
  once: z.uuid(),
})
export type RecordArcoRequest = z.infer<typeof RecordArcoRequest>

/**
 * Records what a person asks about their data, under the next number of the year. The terms of today apply to it for good. A form that
 * is sent twice gets the request that it recorded first. The log has the number, never the person.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`; `arco-day-ahead` if the day on which it came has not come
 */
export async function recordArcoRequest(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { once, ...facts }: RecordArcoRequest,
): Promise<ArcoRequestId> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId, userId } = await authorizeOrRecord(db, actor, 'arco.record', own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const today = dayOf(at, office.timeZone)
  if (facts.receivedOn > today)
    throw new Problem('arco-day-ahead', `${facts.receivedOn} has not come`)
  const id = ArcoRequestId.parse(idMadeOnce(userId, once))
  return await db.transaction(async (trx) => {
    await lockArcoNumbers(trx, officeId)
    if (await findArcoRequest(trx, id)) return id
    const request = await newRequest(trx, { ...facts, id, officeId, createdBy: userId }, today, at)
    await insertArcoRequest(trx, request)
    await insertArcoStep(trx, id, { kind: 'recorded', at, by: userId, note: null })
    const { kind, way, receivedOn, dueOn } = request
    await appendEvent(trx, {
      ...{ actor, at, action: 'arco.recorded', subject: { kind: 'arco-request', id } },
      details: { name: arcoNumber(request), kind, way, receivedOn, dueOn },
    })
    return id
  })
}

async function newRequest(
  trx: Transaction,
  told: ArcoFacts & Pick<ArcoRequest, 'id' | 'officeId' | 'createdBy'>,
  today: Day,
  at: ArcoRequest['createdAt'],
): Promise<ArcoRequest> {
  const year = Number(today.slice(0, 4))
  const [set] = await listArcoTerms(trx, told.officeId, 1)
  const own = await listOwnDays(trx, told.officeId)
  const fresh = {
    ...told,
    terms: set?.terms ?? FEDERAL_TERMS,
    ...{ state: 'received' as const, extended: null, identity: null, answer: null },
  }
  return {
    ...{ ...fresh, year, number: await findNextArcoNumber(trx, told.officeId, year) },
    ...{ stateSince: at, createdAt: at, dueOn: dueDayOf(fresh, own) },
  }
}

/** Today in the office of the actor, for the form. @throws {Problem} `not-signed-in`, `forbidden` */
export async function readArcoForm(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<{ today: Day }> {
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'arco.record', own, clock.now())
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  return { today: dayOf(clock.now(), office.timeZone) }
}
