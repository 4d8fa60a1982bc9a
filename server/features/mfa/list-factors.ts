import { type BackupCodeStock, countBackupCodes } from '#server/db/factors/backup-codes.ts'
import { findTotpFactor } from '#server/db/factors/totp-factors.ts'
import { listWebauthnCredentials } from '#server/db/factors/webauthn-credentials.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { startOfStep } from '#server/domain/identity/totp.ts'
import type { TotpFactor } from '#server/domain/identity/totp-factor.ts'
import type { WebauthnCredential } from '#server/domain/identity/webauthn-credential.ts'
import type { TotpFactorId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export type OwnFactors = {
  totp: {
    id: TotpFactorId
    since: Instant
    /** Accurate to half a minute; includes the code that confirmed it. */
    lastUsed?: Instant
  } | null
  /** Includes suspect keys. */
  keys: WebauthnCredential[]
  backupCodes: BackupCodeStock | null
}

/** The caller's second factors. Contains no secrets. */
export async function listFactors(system: System, actor: Actor): Promise<OwnFactors> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'factors.read-own', own, clock.now())
  const totp = await findTotpFactor(db, userId, 'active')
  return {
    totp: totp ? summary(totp) : null,
    keys: await listWebauthnCredentials(db, userId),
    backupCodes: (await countBackupCodes(db, userId)) ?? null,
  }
}

const summary = ({ id, stateSince, memory }: TotpFactor) => ({
  id,
  since: stateSince,
  ...(memory.lastStep > 0 && { lastUsed: startOfStep(memory.lastStep) }),
})
