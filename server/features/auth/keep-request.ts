import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import {
  countKeptRequests,
  deleteExpiredKeptRequests,
  insertKeptRequest,
  placeOfBody,
} from '#server/db/sign-ins/kept-requests.ts'
import { lockSessionsOf } from '#server/db/sign-ins/sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { KeptRequestId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { after, minutes } from '#server/domain/time.ts'
import type { System } from '#server/system.ts'

/** Largest body that is kept, in bytes. */
const BODY_LIMIT = 64 * 1024
/** Most forms kept per session. */
const WAITING_LIMIT = 20
const LIFETIME = minutes(5)

export const KeepRequest = z.object({
  /** A path of this site, with its query. */
  path: z
    .string()
    .regex(/^\/(?!\/)/)
    .max(2000),
  contentType: z.literal('application/x-www-form-urlencoded'),
  body: z.instanceof(Uint8Array).refine(({ length }) => length <= BODY_LIMIT),
})
export type KeepRequest = z.infer<typeof KeepRequest>

/**
 * Keeps a form for five minutes, sealed and bound to its session, so that it can be resubmitted after step-up.
 * Undefined when it is too large or too many are kept.
 *
 * @throws {Problem} `not-signed-in`
 */
export async function keepRequest(
  system: Pick<System, 'db' | 'clock' | 'vault'>,
  actor: Actor,
  input: KeepRequest,
): Promise<KeptRequestId | undefined> {
  const { db, clock, vault } = system
  const { sessionId, userId } = mustBeSignedIn(actor)
  const request = KeepRequest.safeParse(input)
  const at = clock.now()
  if (!request.success) return undefined

  const { path, contentType, body } = request.data
  const id = KeptRequestId.parse(randomUUID())
  const sealed = vault.seal(body, placeOfBody(id))
  const times = { createdAt: at, expiresAt: after(at, LIFETIME), usedAt: null }
  return await db.transaction(async (trx) => {
    // Forms that come at once are counted one after the other.
    await lockSessionsOf(trx, userId)
    await deleteExpiredKeptRequests(trx, at)
    if ((await countKeptRequests(trx, sessionId, at)) >= WAITING_LIMIT) return undefined
    const own = { sessionId, userId: null, purpose: 'step-up' as const }
    await insertKeptRequest(trx, { id, ...own, path, contentType, sealed, ...times })
    return id
  })
}
