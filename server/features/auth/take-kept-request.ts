import { findKeptRequest, useKeptRequest } from '#server/db/sign-ins/kept-requests.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { KeptRequestId } from '#server/domain/ids.ts'
import { FRESH, mustBeProven, mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { System } from '#server/system.ts'
import { openKept } from './open-kept.ts'

/** A form as the browser sent it. */
export type TakenRequest = { path: string; contentType: string; body: Uint8Array }

/**
 * Takes the form that this session left, once; undefined if it was taken, expired, or belongs to another
 * session.
 *
 * @param actor with the session after step-up
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `secret-unreadable`
 */
export async function takeKeptRequest(
  system: Pick<System, 'db' | 'clock' | 'vault'>,
  actor: Actor,
  id: string,
): Promise<TakenRequest | undefined> {
  const { db, clock } = system
  const at = clock.now()
  const person = mustBeSignedIn(actor)
  mustBeProven(person, 'resuming a form', FRESH, at)
  const kept = await findOwn(system, actor, id)
  if (!kept || kept.usedAt !== null) return undefined
  const body = await openKept(system, person, kept)
  const isFirst = await db.transaction((trx) => useKeptRequest(trx, kept.id, at))
  return isFirst ? { path: kept.path, contentType: kept.contentType, body } : undefined
}

/** The page of a kept form of this session, and whether the form is still there. Consumes nothing. */
export async function readKeptRequest(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  id: string,
): Promise<{ path: string; state: 'waiting' | 'used' } | undefined> {
  const kept = await findOwn(system, actor, id)
  return kept && { path: kept.path, state: kept.usedAt === null ? 'waiting' : 'used' }
}

async function findOwn({ db, clock }: Pick<System, 'db' | 'clock'>, actor: Actor, id: string) {
  const { sessionId } = mustBeSignedIn(actor)
  const known = KeptRequestId.safeParse(id)
  const kept = known.success ? await findKeptRequest(db, known.data, clock.now()) : undefined
  return kept?.purpose === 'step-up' && kept.sessionId === sessionId ? kept : undefined
}
