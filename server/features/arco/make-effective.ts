import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { paragraphs } from '#server/domain/identity/text.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { commitArcoStep } from './commit-arco-step.ts'
import { findArco } from './find-arco.ts'

export const MakeEffective = z.object({
  requestId: ArcoRequestId,
  /** What was done. */
  note: paragraphs(1000).pipe(z.string().min(1)),
})
export type MakeEffective = z.infer<typeof MakeEffective>

/**
 * Records that what was granted is done: handed over, corrected, deleted or no longer used.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `arco-state` if nothing was granted, or it is done
 */
export async function makeEffective(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId, note }: MakeEffective,
): Promise<void> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.answer', at } as const
  const { person, request } = await findArco({ db }, actor, asked)
  if (request.state !== 'answered')
    throw new Problem('arco-state', `${requestId} is ${request.state}`)
  await db.transaction((trx) =>
    commitArcoStep(trx, {
      ...{ actor, seen: request, action: 'arco.effected' },
      next: { ...request, state: 'closed', stateSince: at },
      step: { kind: 'effected', at, by: person.userId, note },
    }),
  )
}
