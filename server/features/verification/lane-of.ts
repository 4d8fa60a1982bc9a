import type { Actor } from '#server/domain/identity/actor.ts'
import type { System } from '#server/system.ts'

/** The system with the workers of one actor. Files of the public have a share of the disk, files of offices do not. */
export type Lane = System & { readonly isPublic: boolean }

/** Users of an office never wait for the public. */
export function laneOf(system: System, actor: Actor): Lane {
  if (actor.kind === 'person') return { ...system, isPublic: false }
  const { publicPdf: pdf, publicRevocation: revocation } = system
  return { ...system, pdf, revocation, isPublic: true }
}
