import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { consumePublicAttempt } from './consume-public-attempt.ts'
import { findRegistration, type Registration } from './find-registration.ts'

export const FindByDigest = z.object({
  /** SHA-256 of the whole file. */
  sha256: Sha256,
})
export type FindByDigest = z.infer<typeof FindByDigest>

/**
 * The document signed here that has a version with this digest. The caller must have the file: its digest
 * cannot be guessed.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function findByDigest(
  system: System,
  actor: Actor,
  { sha256 }: FindByDigest,
): Promise<Registration | undefined> {
  await consumePublicAttempt(system, actor, 'code')
  return await findRegistration(system, actor, sha256)
}
