import type { Actor } from '#server/domain/identity/actor.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'

/**
 * Evidence and verdicts that users ask for take one thread at a time: signatures need the threads too, and a user may
 * ask for many.
 */
export const HEAVY_READS: QueueOf = { name: 'heavy-reads', places: 1, ofOneOwner: 32 }

/** Whose share of a queue a read takes. */
export function ownerOf(actor: Actor): { owner?: string } {
  if (actor.kind === 'anonymous') return {}
  return { owner: actor.kind === 'guest' ? actor.signerId : actor.userId }
}

/**
 * Runs work on a file that an actor only reads. Actors take turns: many reads of one delay those of another by one.
 * Never within such work: it would wait for itself.
 *
 * @param signal aborted when the actor is gone: work that waits is never begun
 * @throws {Problem} `too-many-attempts` when many of theirs wait
 */
export async function readInTurn<T>(
  { memory }: Pick<System, 'memory'>,
  actor: Actor,
  read: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  return await memory.queue(HEAVY_READS).inTurn(read, { ...ownerOf(actor), signal })
}
