import type { Actor } from '#server/domain/identity/actor.ts'
import { networksOf } from '#server/domain/identity/attempts/network.ts'
import { Problem } from '#server/domain/problem.ts'
import { seconds } from '#server/domain/time.ts'
import type { PlacesOf } from '#server/ports/memory.ts'
import type { System } from '#server/system.ts'

/** Uploads of strangers from the first byte of the request to the end of the verdict. */
export const UNFINISHED_UPLOADS: PlacesOf = { name: 'unfinished-public-uploads', places: 32 }

/** Of one network at once; larger IPv6 networks may have more. */
export const UNFINISHED_OF_NETWORK = 4

const RETRY_AFTER = seconds(30)

/** Lets an upload be read; `leave` when it is over. */
export type AdmittedUpload = {
  /** Whether the body must keep a pace: a stranger who stalls would keep others out. */
  isPaced: boolean
  leave(): void
}

/**
 * Admits a public upload before its body is read. Users of an office are always admitted.
 *
 * @throws {Problem} `too-many-attempts` when the network has too many unfinished uploads, `verification-busy` when all
 *   strangers together have
 */
export function admitPublicUpload(
  { memory }: Pick<System, 'memory'>,
  actor: Actor,
): AdmittedUpload {
  if (actor.kind === 'person') return { isPaced: false, leave() {} }
  const shares = networksOf(actor.ip).map(({ name, factor }) => ({
    key: name,
    most: UNFINISHED_OF_NETWORK * factor,
  }))
  const leave = memory.places(UNFINISHED_UPLOADS).take(shares)
  if (leave === 'share')
    throw new Problem('too-many-attempts', `unfinished uploads of ${actor.ip}`, {
      retryAfter: RETRY_AFTER,
    })
  if (leave === 'places')
    throw new Problem('verification-busy', 'unfinished uploads of strangers', {
      retryAfter: RETRY_AFTER,
    })
  return { isPaced: true, leave }
}
