import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { countBackupCodes } from '#server/db/factors/backup-codes.ts'
import {
  activateTotpFactor,
  endTotpFactors,
  findTotpFactor,
  replaceTotpMemory,
} from '#server/db/factors/totp-factors.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import type { SessionTokens } from '#server/domain/crypto/session-tokens.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import {
  checkFirstTotp,
  readTotpCode,
  type TotpHint,
  type TotpMemory,
} from '#server/domain/identity/totp.ts'
import { isConfirmable, type TotpFactor } from '#server/domain/identity/totp-factor.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Instant } from '#server/domain/time.ts'
import { openTotpSecret } from '#server/steps/factors/open-totp-secret.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { renewSession } from '#server/steps/sign-ins/start-session.ts'
import type { System } from '#server/system.ts'
import { recordNewBackupCodes, warnOfChange } from './factor-changes.ts'
import { giveBackupCodes, makeBackupCodes, type NewBackupCodes } from './make-backup-codes.ts'

export const VerifyTotpSetup = z.object({ code: z.string().trim().min(1).max(100) })
export type VerifyTotpSetup = z.infer<typeof VerifyTotpSetup>

export type TotpSetupOutcome =
  /** With backup codes, unless the user has some. */
  | { kind: 'enabled'; tokens: SessionTokens; backupCodes?: string[] }
  | { kind: 'refused'; hint?: TotpHint; serverTime: Instant }
  /** No secret is pending: it was confirmed in another tab, replaced, or expired. */
  | { kind: 'gone' }

/**
 * Enables the authenticator app after a correct code; it replaces an earlier one. This session gets new tokens;
 * the others stay.
 *
 * @throws {Problem} see `beginTotp`, and `secret-unreadable`
 */
export async function verifyTotpSetup(
  system: System,
  actor: Actor,
  input: VerifyTotpSetup,
): Promise<TotpSetupOutcome> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const person = await authorizeOrRecord(db, actor, 'factors.manage-own', own, clock.now())
  const factor = await findTotpFactor(db, person.userId, 'pending')
  if (!factor || !isConfirmable(factor, clock.now())) return { kind: 'gone' }
  const secret = await openTotpSecret(system, person, person.officeId, factor)
  const code = readTotpCode(input.code)
  const verdict = code === undefined ? undefined : checkFirstTotp(secret, code, clock.now())
  if (verdict?.kind !== 'right') return await refuse(system, person, factor, verdict?.hint)

  const hasCodes = await countBackupCodes(db, person.userId)
  const fresh = hasCodes ? undefined : await makeBackupCodes(system)
  return await enable(system, person, factor, verdict.memory, fresh)
}

async function enable(
  { db, clock, settings }: System,
  person: Person,
  factor: TotpFactor,
  memory: TotpMemory,
  fresh: NewBackupCodes | undefined,
): Promise<TotpSetupOutcome> {
  const at = clock.now()
  const { userId, sessionId } = person
  const by = { at, by: userId }
  return await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `factors:${userId}`)
    if (!(await replaceTotpMemory(trx, factor.id, 'pending', memory))) return { kind: 'gone' }
    const replaced = await endTotpFactors(trx, userId, 'active', 'replaced', by)
    await activateTotpFactor(trx, factor.id, by)
    const shown = await giveBackupCodes(trx, userId, fresh, at)
    const { tokenKey } = settings
    const renewal = { sessionId, at, tokenKey, secondFactor: 'TOTP' } as const
    const tokens = await renewSession(trx, renewal)
    await warnOfChange(trx, person, 'totp-enabled', factor.id, at)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'totp.enabled',
      subject: { kind: 'second-factor', id: factor.id },
      details: { replaced },
    })
    if (shown) await recordNewBackupCodes(trx, person, shown.setId, at)
    return { kind: 'enabled', tokens, ...(shown && { backupCodes: shown.codes }) }
  })
}

async function refuse(
  { db, clock }: System,
  person: Person,
  factor: TotpFactor,
  hint: TotpHint | null | undefined,
): Promise<TotpSetupOutcome> {
  const at = clock.now()
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor: person,
      at,
      action: 'totp.refused',
      subject: { kind: 'second-factor', id: factor.id },
      result: 'refused',
      details: { reason: hint === 'clock' ? 'old-code' : 'wrong-code' },
    }),
  )
  return { kind: 'refused', serverTime: at, ...(hint && { hint }) }
}
