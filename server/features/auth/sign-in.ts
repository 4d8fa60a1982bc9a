import { isSuspended } from '#server/db/people/office-states.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import {
  AccountPassword,
  noteRefusedPassword,
  type PasswordRefusal,
  provePassword,
} from './prove-password.ts'

export const SignIn = AccountPassword
export type SignIn = AccountPassword

export type SignInOutcome =
  /** Unknown address, wrong password, suspended or not activated: the response does not say which. */
  { kind: 'refused' } | FirstFactorOutcome

/**
 * Signs a user in by password: asks for the second factor or starts a session. A refusal takes equally long
 * whether the account exists or not.
 *
 * @throws {Problem} `too-many-attempts` with how long to wait; `office-suspended`
 */
export async function signIn(system: System, actor: Actor, input: SignIn): Promise<SignInOutcome> {
  const { db, clock, settings } = system
  const proven = await provePassword(system, actor, input)
  if (!proven) return { kind: 'refused' }
  const at = clock.now()

  const outcome = await db.transaction(async (trx): Promise<FirstFactorOutcome | Unusable> => {
    const confirmed = await proven.confirm(trx)
    if (!('user' in confirmed)) return { kind: 'unusable', ...confirmed }
    const { user } = confirmed
    const office = await findOffice(trx, user.officeId)
    if (!office) throw new Error(`${user.id} has no office`)
    if (await isSuspended(trx, office.id)) return { kind: 'unusable', reason: 'office-suspended' }
    const { tokenKey } = settings
    return await completeFirstFactor(trx, { user, office, actor, at, tokenKey, by: 'password' })
  })
  if (outcome.kind !== 'unusable') return outcome
  const { reason } = outcome
  const { user } = proven
  await noteRefusedPassword(system, actor, { email: input.email, user, reason })
  // The password was right: its owner may know why they cannot come in.
  if (reason === 'office-suspended') await mustOperate(db, user.officeId)
  return { kind: 'refused' }
}

/** The account may not sign in, although the password was right. */
type Unusable = { kind: 'unusable'; reason: PasswordRefusal }
