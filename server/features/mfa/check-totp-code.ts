import { findTotpFactor, replaceTotpMemory } from '#server/db/totp-factors.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { checkTotp, readTotpCode } from '#server/domain/identity/totp.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { System } from '#server/system.ts'
import { type CheckedFactor, refusedFactor } from './checked-factor.ts'
import { openTotpSecret } from './open-totp-secret.ts'

/**
 * Checks a code of the person's authenticator app.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function checkTotpCode(
  system: System,
  actor: Actor,
  user: Pick<User, 'id' | 'officeId'>,
  typed: string,
): Promise<CheckedFactor> {
  const { db, clock } = system
  const factor = await findTotpFactor(db, user.id, 'active')
  if (!factor) return refusedFactor('no-such-factor')
  const code = readTotpCode(typed)
  if (code === undefined) return refusedFactor('malformed')
  const secret = await openTotpSecret(system, actor, user.officeId, factor)
  const verdict = checkTotp(secret, code, clock.now(), factor.memory)
  if (verdict.kind === 'wrong') return refusedFactor(reasons[verdict.hint ?? 'none'], verdict.hint)

  return {
    ok: true,
    commit: (trx) => replaceTotpMemory(trx, factor.id, 'active', verdict.memory),
    tell: async () => {},
    facts: () => ({ factor: 'TOTP' }),
  }
}

const reasons = { none: 'wrong-code', clock: 'old-code', replayed: 'used-code' } as const
