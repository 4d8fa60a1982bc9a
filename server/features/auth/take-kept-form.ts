import { z } from 'zod'
import { findKeptRequest, useKeptRequest } from '#server/db/sign-ins/kept-requests.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { KeptForm } from '#server/domain/identity/kept-form.ts'
import { KeptRequestId } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { openKept } from './open-kept.ts'

const Kept = z.object({
  fields: z.array(z.tuple([z.string(), z.string()])),
  isPartial: z.boolean(),
})

/**
 * Takes the form that waits for this user, once: what is shown is erased. Undefined if it was shown, is over, or is of
 * another user.
 *
 * @param id as the address has it
 * @throws {Problem} `secret-unreadable`
 */
export async function takeKeptForm(
  system: Pick<System, 'db' | 'clock' | 'vault'>,
  actor: Actor,
  id: string,
): Promise<KeptForm | undefined> {
  const { db, clock } = system
  const at = clock.now()
  const known = KeptRequestId.safeParse(id)
  if (actor.kind !== 'person' || !known.success) return undefined
  const kept = await findKeptRequest(db, known.data, at)
  const isOwn = kept?.purpose === 'sign-in' && kept.userId === actor.userId
  if (!kept || !isOwn || kept.usedAt !== null) return undefined
  const body = await openKept(system, actor, kept)
  const isFirst = await db.transaction((trx) => useKeptRequest(trx, kept.id, at))
  return isFirst
    ? { path: kept.path, ...Kept.parse(JSON.parse(new TextDecoder().decode(body))) }
    : undefined
}
