import { z } from 'zod'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Sha256 } from '#server/domain/ids.ts'
import type { System } from '#server/system.ts'
import { findRegistration, type Registration } from './find-registration.ts'
import { spendPublicAttempt } from './spend-public-attempt.ts'

export const FindByDigest = z.object({
  /** Of the whole file. */
  sha256: Sha256,
})
export type FindByDigest = z.infer<typeof FindByDigest>

/**
 * The document that was signed here and of which a version is this file. Whoever asks has the file: its digest
 * cannot be guessed.
 *
 * @throws {Problem} `too-many-attempts`
 */
export async function findByDigest(
  system: System,
  actor: Actor,
  { sha256 }: FindByDigest,
): Promise<Registration | undefined> {
  await spendPublicAttempt(system, actor, 'code')
  return await findRegistration(system, sha256)
}
