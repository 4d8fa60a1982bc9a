import type { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { beginAdministration } from '#server/db/people/administrators.ts'
import { findOffice, replaceOffice } from '#server/db/people/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Office } from '#server/domain/identity/office.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** What an administrator decides for the whole office; each is decided by itself. */
export const Policies = Office.pick({
  /** What becomes of a signature while no authority gives a timestamp. */
  timestampPolicy: true,
  /** Whether a constancia is asked for whenever a document is complete. Those that wait go on waiting. */
  constanciaPolicy: true,
  /** Whether whoever signs must show right before that they are there. */
  presence: true,
  /** Whether an e.firma may be used in the memory of the server, for browsers without scripts. */
  serverSigning: true,
  /** For how long after their activation people may do without a second factor. */
  secondFactorGrace: true,
  /** The largest document in bytes; those that are there stay. */
  uploadLimit: true,
  /** When a session without a request is over: all, from now on. */
  sessionIdle: true,
  /** How long a session lives at most: those that begin from now on. */
  sessionAbsolute: true,
})
export type Policies = z.infer<typeof Policies>
export type PolicyName = keyof Policies

/**
 * Decides one policy anew; the log keeps what was decided before.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`
 */
export async function changePolicy<N extends PolicyName>(
  system: System,
  actor: Actor,
  name: N,
  decided: Policies[N],
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'office.manage', own, at)
  await db.transaction(async (trx) => {
    await beginAdministration(trx, person)
    const office = await findOffice(trx, person.officeId)
    if (!office) throw new Problem('not-found', `no office ${person.officeId}`)
    if (office[name] === decided) return
    await replaceOffice(trx, { ...office, [name]: decided })
    await appendEvent(trx, {
      actor,
      at,
      action: 'office.changed',
      subject: { kind: 'office', id: office.id },
      details: { [name]: decided, from: office[name] },
    })
  })
}
