import { z } from 'zod'
import { ArcoAnswer, stateAfter } from '#server/domain/care/arco-request.ts'
import { dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { commitArcoStep } from './commit-arco-step.ts'
import { findArco } from './find-arco.ts'

const { outcome, text, reason } = ArcoAnswer.shape
export const AnswerRequest = z.object({ requestId: ArcoRequestId, outcome, text, reason })
export type AnswerRequest = z.infer<typeof AnswerRequest>

/**
 * Records what the office answers. A request is granted, in full or in part, only to a person who proved who they are; what is not
 * granted has a reason. The log has the outcome, never the text.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed`; `arco-unproven` before the identity is proven;
 *   `arco-reason-missing`; `arco-state` if it was answered before
 */
export async function answerRequest(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId, ...told }: AnswerRequest,
): Promise<void> {
  const at = clock.now()
  const asked = { requestId, action: 'arco.answer', at } as const
  const { person, office, request } = await findArco({ db }, actor, asked)
  if (request.state !== 'received' && request.state !== 'identified')
    throw new Problem('arco-state', `${requestId} is ${request.state}`)
  if (told.outcome !== 'denied' && request.identity === null)
    throw new Problem('arco-unproven', `the identity of ${requestId} is not proven`)
  const isGranted = told.outcome === 'granted'
  if (!isGranted && told.reason === null)
    throw new Problem('arco-reason-missing', `${requestId} is not granted for no reason`)
  const by = person.userId
  const reason = isGranted ? null : told.reason
  await db.transaction((trx) =>
    commitArcoStep(trx, {
      ...{ actor, seen: request, action: 'arco.answered' },
      next: {
        ...{ ...request, state: stateAfter(told.outcome), stateSince: at },
        answer: { ...told, reason, on: dayOf(at, office.timeZone), at, by },
      },
      step: { kind: 'answered', at, by, note: null },
      details: { outcome: told.outcome },
    }),
  )
}
