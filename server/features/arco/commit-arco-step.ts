import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertArcoStep, replaceArcoRequest } from '#server/db/care/arco-requests.ts'
import { listOwnDays } from '#server/db/obligations/non-working-days.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import {
  type ArcoRequest,
  type ArcoStep,
  arcoNumber,
  dueDayOf,
} from '#server/domain/care/arco-request.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'

type Done = {
  actor: Actor
  seen: ArcoRequest
  /** Without its term, which follows from it. */
  next: Omit<ArcoRequest, 'dueOn'>
  step: ArcoStep
  action: AuditEvent['action']
  details?: AuditEvent['details']
}

/**
 * Stores a step of a request with its event. Warnings about a term that does not run any more are resolved.
 *
 * @throws {Problem} `arco-state` if another person changed the request since it was read
 */
export async function commitArcoStep(trx: Transaction, done: Done): Promise<void> {
  const { actor, seen, step, action, details = {} } = done
  const own = await listOwnDays(trx, seen.officeId)
  const next = { ...done.next, dueOn: dueDayOf(done.next, own) }
  if (!(await replaceArcoRequest(trx, seen, next)))
    throw new Problem('arco-state', `${seen.id} moved on meanwhile`)
  await insertArcoStep(trx, seen.id, step)
  if (next.dueOn !== seen.dueOn)
    await resolveAlertsAbout(trx, matters.arcoDue(seen.id), { at: step.at, by: step.by })
  await appendEvent(trx, {
    ...{ actor, at: step.at, action, subject: { kind: 'arco-request', id: seen.id } },
    details: { name: arcoNumber(seen), ...details },
  })
}
