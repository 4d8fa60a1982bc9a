import { appendEvent } from '#server/db/audit/audit-events.ts'
import type { Database } from '#server/db/database.ts'
import type { AuditSubject } from '#server/domain/audit/event.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { type Action, authorize, type Resource } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * Calls `authorize` and logs a person's refusal before throwing it. Anonymous refusals are not logged, or
 * anyone could fill the log.
 *
 * @throws {Problem} see `authorize`
 */
export async function authorizeOrRecord(
  db: Database,
  actor: Actor,
  action: Action,
  resource: Resource,
  at: Instant,
  subject: AuditSubject = { kind: 'nothing' },
): Promise<Person> {
  try {
    return authorize(actor, action, resource, at)
  } catch (error) {
    // A step-up or a pending duty is not a refusal of the action.
    if (error instanceof Problem && actor.kind === 'person' && isRefusal(error))
      await db.transaction((trx) =>
        appendEvent(trx, {
          actor,
          at,
          action: 'access.refused',
          subject,
          result: 'refused',
          details: { asked: action, code: error.code },
        }),
      )
    throw error
  }
}

const isRefusal = ({ code }: Problem) =>
  code === 'forbidden' || code === 'not-found' || code === 'document-blocked'
