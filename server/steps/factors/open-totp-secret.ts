import type { Actor } from '#server/domain/identity/actor.ts'
import { placeOfTotpSecret, type TotpFactor } from '#server/domain/identity/totp-factor.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { recordUnreadable } from './record-unreadable-secret.ts'

/** The dependencies to unseal a secret and to record a failure. */
export type Opening = Pick<System, 'db' | 'clock' | 'vault'>

/**
 * Unseals the secret of an authenticator app; logs a failure.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function openTotpSecret(
  { db, clock, vault }: Opening,
  actor: Actor,
  officeId: OfficeId,
  factor: TotpFactor,
): Promise<Uint8Array> {
  try {
    return vault.open(factor.sealed, placeOfTotpSecret(factor))
  } catch (error) {
    if (error instanceof Problem) {
      const { id, userId, sealed } = factor
      const subject = { kind: 'second-factor', id } as const
      const { keyVersion } = sealed
      await recordUnreadable(db, actor, clock.now(), { officeId, userId, subject, id, keyVersion })
    }
    throw error
  }
}
