import type { Database } from '#server/db/database.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { placeOfTotpSecret, type TotpFactor } from '#server/domain/identity/totp-factor.ts'
import type { OfficeId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { recordUnreadable } from './record-unreadable-secret.ts'

/** What of the outside it takes to open a secret that lies in a row. */
export type Opening = {
  readonly db: Database
  readonly clock: { now(): Instant }
  readonly vault: { open(sealed: TotpFactor['sealed'], place: string): Uint8Array }
}

/**
 * The secret of an authenticator app. One that does not open is told.
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
