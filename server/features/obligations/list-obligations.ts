import { listObligations as listRows } from '#server/db/obligations/obligations.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { ObligationId } from '#server/domain/ids.ts'
import type { Obligation } from '#server/domain/obligations/obligation.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { authorizedOffice } from './authorized-office.ts'

/**
 * The obligations of the caller's office by name, those that are off too.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listObligations(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<Obligation[]> {
  const { office } = await authorizedOffice({ db }, actor, 'obligations.read', clock.now())
  return await listRows(db, office)
}

/** One of them. @throws {Problem} `not-signed-in`, `forbidden`, `not-found` */
export async function readObligation(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { obligationId }: { obligationId: ObligationId },
): Promise<Obligation> {
  const obligation = (await listObligations(system, actor)).find(({ id }) => id === obligationId)
  if (!obligation) throw new Problem('not-found', `no obligation ${obligationId}`)
  return obligation
}
