import { findTotpFactor, replaceTotpMemory } from '#server/db/factors/totp-factors.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { checkTotp, readTotpCode } from '#server/domain/identity/totp.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { TotpFactorId } from '#server/domain/ids.ts'
import { type CheckedFactor, type RefusedFactor, refusedFactor } from './checked-factor.ts'
import { type Opening, openTotpSecret } from './open-totp-secret.ts'

export type CheckedTotpCode =
  | ((CheckedFactor & { ok: true }) & {
      factorId: TotpFactorId
      /** The time step of the code: 30 seconds each, counted since 1970. */
      timeStep: number
    })
  | RefusedFactor

/**
 * Checks a code of the user's authenticator app.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function checkTotpCode(
  opening: Opening,
  actor: Actor,
  user: Pick<User, 'id' | 'officeId'>,
  typed: string,
): Promise<CheckedTotpCode> {
  const { db, clock } = opening
  const factor = await findTotpFactor(db, user.id, 'active')
  if (!factor) return refusedFactor('no-such-factor')
  const code = readTotpCode(typed)
  if (code === undefined) return refusedFactor('malformed')
  const secret = await openTotpSecret(opening, actor, user.officeId, factor)
  const verdict = checkTotp(secret, code, clock.now(), factor.memory)
  if (verdict.kind === 'wrong') return refusedFactor(reasons[verdict.hint ?? 'none'], verdict.hint)

  return {
    ok: true,
    factorId: factor.id,
    timeStep: verdict.memory.lastStep,
    commit: (trx) => replaceTotpMemory(trx, factor.id, 'active', verdict.memory),
    record: async () => {},
    facts: () => ({ factor: 'TOTP' }),
  }
}

const reasons = { none: 'wrong-code', clock: 'old-code', replayed: 'used-code' } as const
