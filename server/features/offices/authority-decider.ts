import { appendEvent, appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { listOffices } from '#server/db/people/offices.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { lockAuthorities } from '#server/db/trust/authorities.ts'
import type { AuditEvent } from '#server/domain/audit/event.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { INSTALLATION, type TrustScope } from '#server/domain/trust/known-authority.ts'

type AuthorityEvent = {
  action: Extract<AuditEvent['action'], `authority.${string}`>
  /** Fingerprint of the certificate. */
  id: string
  result?: AuditEvent['result']
  details: AuditEvent['details']
}

/** The decider about authorities: an administrator on the page, or the operator on the command line. */
export type Decider = {
  /** Null for the command line. */
  by: UserId | null
  at: Instant
  /** A demo may trust authorities that are for tests. */
  isDemo: boolean
  /**
   * Takes the lock of the decisions.
   *
   * @returns where they count
   * @throws {Problem} `forbidden` for a former administrator
   */
  begin(trx: Transaction): Promise<TrustScope>
  /** Logs the events. */
  record(trx: Transaction, events: readonly AuthorityEvent[]): Promise<void>
}

export function administratorAsDecider(person: Person, at: Instant, isDemo: boolean): Decider {
  return {
    by: person.userId,
    at,
    isDemo,
    async begin(trx) {
      await beginAdministration(trx, person)
      await lockAuthorities(trx)
      return await scopeOf(trx, person.officeId)
    },
    async record(trx, events) {
      for (const { id, ...event } of events)
        await appendEvent(trx, {
          actor: person,
          at,
          subject: { kind: 'certificate', id },
          ...event,
        })
    },
  }
}

/** The only office decides for the installation; of several each decides for itself. */
async function scopeOf(trx: Transaction, officeId: OfficeId): Promise<TrustScope> {
  return (await listOffices(trx)).length > 1 ? officeId : INSTALLATION
}

/** @param name for the log: `rubrica trust` */
export function programAsDecider(name: string, at: Instant, isDemo: boolean): Decider {
  return {
    by: null,
    at,
    isDemo,
    async begin(trx) {
      await lockAuthorities(trx)
      return INSTALLATION
    },
    async record(trx, events) {
      for (const { id, result = 'success', ...event } of events)
        await appendSystemEvent(trx, {
          by: name,
          at,
          officeId: null,
          subject: { kind: 'certificate', id },
          result,
          ...event,
        })
    },
  }
}
