import { findOpenActivation } from '#server/db/people/activations.ts'
import type { ActivationPurpose } from '#server/domain/identity/activation.ts'
import type { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import type { System } from '#server/system.ts'

export type FindLinkPurpose = { code: ActivationCode }

/**
 * What a link is for, to say it on its form; does not use it up. Counts as an attempt to use a link.
 *
 * @returns undefined for an invalid or used code
 * @throws {Problem} `too-many-attempts`
 */
export async function findLinkPurpose(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { code }: FindLinkPurpose,
): Promise<ActivationPurpose | undefined> {
  const at = clock.now()
  await consumeLinkAttempt(db, actor.ip, at)
  return (await findOpenActivation(db, code, at))?.purpose
}
