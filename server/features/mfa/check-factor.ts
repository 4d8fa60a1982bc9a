import type { Actor } from '#server/domain/identity/actor.ts'
import type { User } from '#server/domain/identity/user.ts'
import { AssertionAnswer } from '#server/domain/identity/webauthn-answer.ts'
import type { SessionId, SignInId } from '#server/domain/ids.ts'
import { checkTotpCode } from '#server/steps/factors/check-totp-code.ts'
import { type CheckedFactor, refusedFactor } from '#server/steps/factors/checked-factor.ts'
import type { System } from '#server/system.ts'
import { checkAssertion } from './check-assertion.ts'
import { checkBackupCode } from './check-backup-code.ts'

/** A second factor as submitted. */
export type ShownFactor =
  | { method: 'TOTP' | 'BACKUP_CODE'; code: string }
  /** The browser's JSON, not validated yet. */
  | { method: 'WEBAUTHN'; response: unknown }

export type FactorCheck = {
  user: Pick<User, 'id' | 'officeId'>
  /** The owner of the WebAuthn challenge. */
  bearer: SignInId | SessionId
  /** Whether the key must have verified its user by PIN or fingerprint. */
  requireUserVerification: boolean
}

/**
 * Checks the factor without writing anything.
 *
 * @throws {Problem} `secret-unreadable`
 */
export async function checkFactor(
  system: Pick<System, 'db' | 'clock' | 'vault' | 'passwords' | 'webauthn'>,
  actor: Actor,
  { user, bearer, requireUserVerification }: FactorCheck,
  shown: ShownFactor,
): Promise<CheckedFactor> {
  switch (shown.method) {
    case 'TOTP':
      return await checkTotpCode(system, actor, user, shown.code)
    case 'BACKUP_CODE':
      return await checkBackupCode(system, user, shown.code)
    case 'WEBAUTHN': {
      const read = AssertionAnswer.safeParse(shown.response)
      if (!read.success) return refusedFactor('unreadable')
      const answer = {
        actor,
        userId: user.id,
        bearer,
        response: read.data,
        requireUserVerification,
      }
      const checked = await checkAssertion(system, answer)
      if (!checked.ok) return checked
      const { commit, record, credential } = checked
      return {
        ok: true,
        commit,
        record,
        facts: () => ({ factor: 'WEBAUTHN', key: credential.name }),
      }
    }
  }
}
