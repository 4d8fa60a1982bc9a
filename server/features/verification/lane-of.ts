import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'

/** The system with the workers for this actor: users of an office never wait for the public. */
export function laneOf(system: System, actor: Actor): System {
  if (actor.kind === 'person') return system
  return { ...system, pdf: system.publicPdf, revocation: system.publicRevocation }
}
