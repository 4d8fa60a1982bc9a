import { randomUUID } from 'node:crypto'
import type { User } from '#server/domain/identity/user.ts'
import type { System } from '#server/system.ts'
import { MORNING } from '#tests/support/builders.ts'

/** Inserts an authenticator app without a usable secret, for tests that only need its existence. */
export async function withTotp(system: System, user: User): Promise<void> {
  await system.db.transaction(async (trx) => {
    await trx
      .insertInto('totp_factors')
      .values({
        id: randomUUID(),
        user_id: user.id,
        key_version: 1,
        sealed_secret: Uint8Array.of(1),
        last_step: 0,
        drift_seconds: 0,
        created_at: MORNING,
        state: 'active',
        state_since: MORNING,
        state_by: user.id,
      })
      .execute()
  })
}
