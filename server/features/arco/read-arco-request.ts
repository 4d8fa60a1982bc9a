import { findArcoPackage } from '#server/db/care/arco-packages.ts'
import { listArcoSteps } from '#server/db/care/arco-requests.ts'
import { findUsers } from '#server/db/people/users.ts'
import type { ArcoPackage } from '#server/domain/care/arco-package.ts'
import type { ArcoRequest, ArcoStep } from '#server/domain/care/arco-request.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { ArcoRequestId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findArco } from './find-arco.ts'

export type ArcoPageData = {
  office: Office
  request: ArcoRequest
  steps: (ArcoStep & { byName: string })[]
  /** What is held about the person, if it was asked for. */
  package: ArcoPackage | undefined
  today: Day
}

/**
 * A request with everything that was done about it.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function readArcoRequest(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { requestId }: { requestId: ArcoRequestId },
): Promise<ArcoPageData> {
  const at = clock.now()
  const { office, request } = await findArco({ db }, actor, { requestId, action: 'arco.read', at })
  const steps = await listArcoSteps(db, requestId)
  const users = await findUsers(
    db,
    steps.map(({ by }) => by),
  )
  const nameOf = (id: ArcoStep['by']) => {
    const user = users.get(id)
    return user ? fullName(user) : ''
  }
  return {
    ...{ office, request },
    steps: steps.map((step) => ({ ...step, byName: nameOf(step.by) })),
    package: await findArcoPackage(db, requestId),
    today: dayOf(at, office.timeZone),
  }
}
