import { findArcoRequest } from '#server/db/care/arco-requests.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { ArcoRequest } from '#server/domain/care/arco-request.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import type { Action } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type FoundArco = { person: Person; office: Office; request: ArcoRequest }

/** A request that the actor works with. @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `step-up-needed` */
export async function findArco(
  { db }: Pick<System, 'db'>,
  actor: Actor,
  { requestId, action, at }: { requestId: ArcoRequestId; action: Action; at: Instant },
): Promise<FoundArco> {
  const request = await findArcoRequest(db, requestId)
  if (!request) throw new Problem('not-found', `no request ${requestId}`)
  const subject = { kind: 'arco-request', id: requestId } as const
  const person = await authorizeOrRecord(db, actor, action, request, at, subject)
  const office = await findOffice(db, request.officeId)
  if (!office) throw new Problem('not-found', `no office ${request.officeId}`)
  return { person, office, request }
}
