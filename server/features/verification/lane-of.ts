import type { Actor } from '#server/domain/identity/actor.ts'
import type { QueueOf } from '#server/ports/memory.ts'
import { ownerOf } from '#server/steps/documents/read-in-turn.ts'
import type { System } from '#server/system.ts'

/** The system with the workers of one actor. Files of the public have a share of the disk, files of offices do not. */
export type Lane = System & { readonly isPublic: boolean }

/** Users of an office never wait for the public. */
export function laneOf(system: System, actor: Actor): Lane {
  if (actor.kind === 'person') return { ...system, isPublic: false }
  const { publicPdf: pdf, publicRevocation: revocation } = system
  return { ...system, pdf, revocation, isPublic: true }
}

/** Files that users upload to be verified; many of one user keep no other user from it. */
export const UPLOADS_OF_USERS: QueueOf = { name: 'verified-uploads', places: 1, ofOneOwner: 8 }

/**
 * Runs work on an uploaded file. Users take turns; strangers have limits of their own.
 *
 * @param signal aborted when the sender is gone: work that waits is never begun
 * @throws {Problem} `too-many-attempts` when many of theirs wait
 */
export async function workInTurn<T>(
  { memory, isPublic }: Lane,
  actor: Actor,
  work: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  if (isPublic) return await work()
  return await memory.queue(UPLOADS_OF_USERS).inTurn(work, { ...ownerOf(actor), signal })
}
