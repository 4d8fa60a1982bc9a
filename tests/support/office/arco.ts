import { randomUUID } from 'node:crypto'
import type { Person } from '#server/domain/identity/actor.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import { AnswerRequest, answerRequest } from '#server/features/arco/answer-request.ts'
import { ProveIdentity, proveIdentity } from '#server/features/arco/prove-identity.ts'
import { RecordArcoRequest, recordArcoRequest } from '#server/features/arco/record-arco-request.ts'
import type { System } from '#server/system.ts'

type Changes = Partial<Record<keyof RecordArcoRequest, unknown>>

/** What a clerk writes down when a person asks for their data. */
export const anArcoRequest = (changes: Changes = {}): RecordArcoRequest =>
  RecordArcoRequest.parse({
    ...{ once: randomUUID(), kind: 'access', way: 'in-person', receivedOn: '2026-11-20' },
    ...{ name: 'Benito Núñez Peña', rfc: 'NUPB801201QX7', email: 'benito@ejemplo.example' },
    ...{ asked: 'Quiero saber qué datos míos tienen.', ...changes },
  } satisfies Record<keyof RecordArcoRequest, unknown>)

type Acting = Pick<System, 'db' | 'clock'>

export const proven = (system: Acting, by: Person, requestId: ArcoRequestId) =>
  proveIdentity(
    system,
    by,
    ProveIdentity.parse({ requestId, how: 'official-id', on: '2026-11-20', note: 'Pasaporte' }),
  )

export const answered = (
  system: Acting,
  by: Person,
  requestId: ArcoRequestId,
  changes: Partial<Record<keyof AnswerRequest, unknown>> = {},
) =>
  answerRequest(
    system,
    by,
    AnswerRequest.parse({
      ...{ requestId, outcome: 'granted', text: 'Procede.', reason: null, ...changes },
    }),
  )

/** An access that was granted and is not made effective yet. */
export async function aGrantedRequest(
  system: Acting,
  by: Person,
  changes: Changes = {},
): Promise<ArcoRequestId> {
  const id = await recordArcoRequest(system, by, anArcoRequest(changes))
  await proven(system, by, id)
  await answered(system, by, id)
  return id
}
