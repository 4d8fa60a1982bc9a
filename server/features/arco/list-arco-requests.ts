import { z } from 'zod'
import { listArcoRequests as listRows } from '#server/db/care/arco-requests.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { type ArcoRequest, ArcoState } from '#server/domain/care/arco-request.ts'
import { type Day, dayOf } from '#server/domain/day.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { ArcoRequestId } from '#server/domain/ids.ts'
import { cursorText, pageCursor } from '#server/domain/page-cursor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ListArcoRequests = z.object({
  state: ArcoState.optional(),
  /** The `next` of the previous page. */
  behind: pageCursor(ArcoRequestId).optional(),
})
export type ListArcoRequests = z.infer<typeof ListArcoRequests>

export type ArcoPage = {
  requests: ArcoRequest[]
  /** In the office, for what is late. */
  today: Day
  /** The `behind` of the next page; undefined on the last page. */
  next: string | undefined
}

/**
 * A page of the requests that people made about their data, those recorded last first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listArcoRequests(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { state, behind, size = 50 }: ListArcoRequests & { size?: number },
): Promise<ArcoPage> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { officeId } = await authorizeOrRecord(db, actor, 'arco.read', own, at)
  const office = await findOffice(db, officeId)
  if (!office) throw new Problem('not-found', `no office ${officeId}`)
  const found = await listRows(db, { officeId, state, behind, limit: size + 1 })
  const requests = found.slice(0, size)
  const last = found.length > size ? requests.at(-1) : undefined
  return {
    requests,
    today: dayOf(at, office.timeZone),
    next: last && cursorText({ at: last.createdAt, id: last.id }),
  }
}
