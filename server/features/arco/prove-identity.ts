import { z } from 'zod'
import { IdentityProof } from '#server/domain/care/arco-request.ts'
import { dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { commitArcoStep } from './commit-arco-step.ts'
import { findArco } from './find-arco.ts'

const { how, on, note } = IdentityProof.shape
export const ProveIdentity = z.object({ requestId: ArcoRequestId, how, on, note })
export type ProveIdentity = z.infer<typeof ProveIdentity>

/**
 * Records how the person who asks proved who they are. No copy of what they showed is kept.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`; `arco-day-ahead`; `arco-state` if it was recorded or answered before
 */
export async function proveIdentity(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId, ...proof }: ProveIdentity,
): Promise<void> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.record', at } as const
  const { person, office, request } = await findArco({ db }, actor, asked)
  if (request.state !== 'received')
    throw new Problem('arco-state', `${requestId} is ${request.state}`)
  if (proof.on > dayOf(at, office.timeZone))
    throw new Problem('arco-day-ahead', `${proof.on} has not come`)
  const by = person.userId
  await db.transaction((trx) =>
    commitArcoStep(trx, {
      ...{ actor, seen: request, action: 'arco.identified' },
      next: {
        ...{ ...request, state: 'identified', stateSince: at },
        identity: { ...proof, at, by },
      },
      step: { kind: 'identified', at, by, note: proof.note },
      details: { how: proof.how, on: proof.on },
    }),
  )
}
