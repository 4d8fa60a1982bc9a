import { randomBytes, randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  endTotpFactors,
  findTotpFactor,
  insertTotpFactor,
} from '#server/db/factors/totp-factors.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { findUser } from '#server/db/people/users.ts'
import type { Actor, Person } from '#server/domain/identity/actor.ts'
import { TOTP_SECRET_BYTES, totpSecretText, totpUri } from '#server/domain/identity/totp.ts'
import {
  isConfirmable,
  placeOfTotpSecret,
  type TotpFactor,
} from '#server/domain/identity/totp-factor.ts'
import { TotpFactorId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { type QrCode, qrCode } from '#server/domain/signing/qr-code.ts'
import { seconds } from '#server/domain/time.ts'
import { openTotpSecret } from '#server/steps/factors/open-totp-secret.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** The enrolment data for an authenticator app. */
export type PendingTotp = {
  factorId: TotpFactorId
  /** Base32, for manual entry. */
  secret: string
  /** `otpauth://…`, for a link on the phone itself. */
  uri: string
  /** The same URI as a QR code; needs a quiet zone of four modules. */
  qr: QrCode
}

/**
 * Creates a new TOTP secret for the user. It is not accepted before its first code confirms it; an earlier
 * unconfirmed secret is discarded, and a confirmed one stays valid until then.
 *
 * @throws {Problem} `not-signed-in`, `step-up-needed`, `password-change-needed`
 */
export async function beginTotp(system: System, actor: Actor): Promise<PendingTotp> {
  const { db, clock, vault } = system
  const at = clock.now()
  const person = await mayManage(system, actor)
  const { userId } = person
  const id = TotpFactorId.parse(randomUUID())
  const secret = new Uint8Array(randomBytes(TOTP_SECRET_BYTES))
  const factor: TotpFactor = {
    id,
    userId,
    sealed: vault.seal(secret, placeOfTotpSecret({ id, userId })),
    memory: { lastStep: 0, drift: seconds(0) },
    createdAt: at,
    state: 'pending',
    stateSince: at,
    stateBy: userId,
  }
  const shown = await show(system, person, id, secret)

  await db.transaction(async (trx) => {
    await lockUntilCommit(trx, `factors:${userId}`)
    await endTotpFactors(trx, userId, 'pending', 'replaced', { at, by: userId })
    await insertTotpFactor(trx, factor)
    await appendEvent(trx, {
      actor: person,
      at,
      action: 'totp.begun',
      subject: { kind: 'second-factor', id },
    })
  })
  return shown
}

/**
 * The unconfirmed secret; null if there is none.
 *
 * @throws {Problem} see `beginTotp`, and `secret-unreadable`
 */
export async function readPendingTotp(system: System, actor: Actor): Promise<PendingTotp | null> {
  const { db, clock } = system
  const person = await mayManage(system, actor)
  const factor = await findTotpFactor(db, person.userId, 'pending')
  if (!factor || !isConfirmable(factor, clock.now())) return null
  const secret = await openTotpSecret(system, person, person.officeId, factor)
  return await show(system, person, factor.id, secret)
}

async function mayManage({ db, clock }: System, actor: Actor): Promise<Person> {
  const own = mustBeSignedIn(actor)
  return await authorizeOrRecord(db, actor, 'factors.manage-own', own, clock.now())
}

async function show(
  { db, settings }: System,
  { userId }: Person,
  factorId: TotpFactorId,
  secret: Uint8Array,
): Promise<PendingTotp> {
  const user = await findUser(db, userId)
  if (!user) throw new Problem('not-signed-in', `${userId} is gone`)
  const issuer = settings.isDemo ? 'Rúbrica (demostración)' : 'Rúbrica'
  const uri = totpUri(secret, issuer, user.email)
  return { factorId, secret: totpSecretText(secret), uri, qr: qrCode(uri) }
}
