import { z } from 'zod'
import type { NewEvent } from '#server/db/audit/audit-events.ts'
import { endAccessTokensOf } from '#server/db/people/access-tokens.ts'
import {
  endActivationsOf,
  findOpenActivation,
  redeemActivation,
} from '#server/db/people/activations.ts'
import {
  type Credentials,
  findCredentialsOf,
  replacePassword,
} from '#server/db/people/credentials.ts'
import { lockLinkedAccounts, unlinkAccount } from '#server/db/people/linked-accounts.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser, replaceUserState } from '#server/db/people/users.ts'
import { endSessionsOf } from '#server/db/sign-ins/sessions.ts'
import { endSignInsOf } from '#server/db/sign-ins/sign-ins.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import type { Activation } from '#server/domain/identity/activation.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { User } from '#server/domain/identity/user.ts'
import { isProblem, Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import { endLinkedSessions } from './linked-account-events.ts'
import { refuseLink } from './refuse-link.ts'
import { mustBeStrong, wordsOf, wordsOfCode } from './require-strong-password.ts'
import { TypedPassword } from './typed-password.ts'

export const ActivateAccount = z.object({ code: ActivationCode, password: TypedPassword })
export type ActivateAccount = z.infer<typeof ActivateAccount>

/** A link that is still valid, with its user. */
type OpenLink = { activation: Activation; found: Credentials; office: Office }

/**
 * Sets the password that the holder of the link chose, and signs them in. A recovery link keeps the second
 * factor: it is required next, before any session starts. If several requests use the same link at once, one
 * succeeds.
 *
 * @throws {Problem} `link-spent` for an invalid or used code, `weak-password` (the link stays valid),
 *   `too-many-attempts`
 */
export async function activateAccount(
  system: System,
  actor: Actor,
  { code, password }: ActivateAccount,
): Promise<FirstFactorOutcome> {
  const { db, clock, passwords } = system
  await consumeLinkAttempt(db, actor.ip, clock.now())
  const link = await findLink(system, code)
  if (!link) throw await refuseLink(system, actor)
  const words = [...wordsOf(link.office, link.found.user), ...wordsOfCode(code)]
  await mustBeStrong(system, password, words)
  const hash = await passwords.hash(password)

  try {
    return await signInByLink(system, actor, link, hash)
  } catch (error) {
    if (!isProblem(error, 'link-spent')) throw error
    throw await refuseLink(system, actor)
  }
}

/** @throws {Problem} `link-spent`, without changes, if another request used the link first */
async function signInByLink(
  { db, clock, settings }: System,
  actor: Actor,
  link: OpenLink,
  hash: string,
): Promise<FirstFactorOutcome> {
  const at = clock.now()
  const { activation, office } = link
  return await db.transaction(async (trx) => {
    const user = await replaceCredentials(trx, link, hash, at)
    const elsewhere = await endLinks(trx, user, actor, at)
    await warnOfRecovery(trx, actor, link, at)
    return await completeFirstFactor(trx, {
      user,
      office,
      actor,
      at,
      tokenKey: settings.tokenKey,
      by: activation.purpose === 'recovery' ? 'recovery' : 'activation',
      before: [...elsewhere, activationEvent(actor, link, at)],
    })
  })
}

async function findLink(
  { db, clock }: System,
  code: ActivationCode,
): Promise<OpenLink | undefined> {
  const activation = await findOpenActivation(db, code, clock.now())
  const found = activation?.userId ? await findCredentialsOf(db, activation.userId) : undefined
  const office = found && (await findOffice(db, found.user.officeId))
  if (!activation || !found || !office) return undefined
  return isFor(activation, found.user) ? { activation, found, office } : undefined
}

/** A link from before a suspension does not work after it. */
function isFor({ purpose }: Activation, { state }: User): boolean {
  return state === (purpose === 'recovery' ? 'active' : 'invited')
}

/**
 * Replaces the password and ends everything that the old one opened. Updates the user row first: every change
 * of a password or state waits on that row.
 */
async function replaceCredentials(
  trx: Transaction,
  { activation, found }: OpenLink,
  hash: string,
  at: Instant,
): Promise<User> {
  const { id } = found.user
  const isReplaced = await replacePassword(trx, id, found.passwordHash, hash, at)
  const isActive =
    activation.purpose === 'recovery' ||
    (await replaceUserState(trx, id, 'invited', 'active', at, activation.createdBy))
  const isSpent = await redeemActivation(trx, activation.id, at)
  const user = await findUser(trx, id)
  if (!isReplaced || !isActive || !isSpent || user?.state !== 'active')
    throw new Problem('link-spent', `the account ${id} changed meanwhile`)
  await endActivationsOf(trx, id, at)
  await endSignInsOf(trx, id, at)
  await endAccessTokensOf(trx, id, at)
  await lockLinkedAccounts(trx)
  await endSessionsOf(trx, id, { at, by: id, reason: 'password-changed' })
  return user
}

/**
 * The link of a recovery may be in the hands of an administrator: it must not lead into another office. If another
 * person knew the old password, they may have switched there.
 */
async function endLinks(trx: Transaction, { id }: User, actor: Actor, at: Instant) {
  const { events } = await endLinkedSessions(trx, id, actor, at)
  await unlinkAccount(trx, id)
  return events
}

async function warnOfRecovery(
  trx: Transaction,
  actor: Actor,
  { activation, found }: OpenLink,
  at: Instant,
): Promise<void> {
  if (activation.purpose !== 'recovery') return
  const { id, officeId } = found.user
  await raiseAlert(trx, {
    officeId,
    userId: id,
    kind: 'password-changed',
    severity: 'warning',
    subjectKind: 'user',
    subjectId: id,
    facts: { device: actor.device, ip: actor.ip },
    occasion: occasions.passwordChosen(activation.id),
    at,
  })
}

function activationEvent(actor: Actor, { activation, found }: OpenLink, at: Instant): NewEvent {
  const { id, officeId } = found.user
  return {
    actor,
    at,
    officeId,
    action: 'activation.used',
    subject: { kind: 'user', id },
    details: { purpose: activation.purpose, activation: activation.id },
  }
}
