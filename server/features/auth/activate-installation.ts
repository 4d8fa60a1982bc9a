import { randomUUID } from 'node:crypto'
import type { z } from 'zod'
import type { NewEvent } from '#server/db/audit/audit-events.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { findOpenActivation, redeemActivation } from '#server/db/people/activations.ts'
import { insertOffice, listOffices } from '#server/db/people/offices.ts'
import { insertUser } from '#server/db/people/users.ts'
import { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { newOffice } from '#server/domain/identity/new-office.ts'
import { type Office, OfficeIdentity } from '#server/domain/identity/office.ts'
import { User } from '#server/domain/identity/user.ts'
import { UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import type { System } from '#server/system.ts'
import { completeFirstFactor, type FirstFactorOutcome } from './complete-first-factor.ts'
import { refuseLink } from './refuse-link.ts'
import { mustBeStrong, wordsOf, wordsOfCode } from './require-strong-password.ts'
import { TypedPassword } from './typed-password.ts'

/** The form with the office and its first administrator. */
export const ActivateInstallation = OfficeIdentity.extend({
  code: ActivationCode,
  firstName: User.shape.firstName,
  lastName: User.shape.lastName,
  email: User.shape.email,
  rfc: User.shape.rfc,
  password: TypedPassword,
})
export type ActivateInstallation = z.infer<typeof ActivateInstallation>

/**
 * Creates the office of an empty installation and its first administrator, in one transaction, and signs them
 * in. If several requests use the link at once, one succeeds.
 *
 * @throws {Problem} `link-spent` for an invalid or used code and when an office exists, `weak-password` (the
 *   link stays valid), `too-many-attempts`
 */
export async function activateInstallation(
  system: System,
  actor: Actor,
  input: ActivateInstallation,
): Promise<FirstFactorOutcome> {
  const { db, clock, passwords, settings } = system
  await consumeLinkAttempt(db, actor.ip, clock.now())
  const activation = await findOpenActivation(db, input.code, clock.now())
  if (activation?.purpose !== 'installation') throw await refuseLink(system, actor)
  const words = [...wordsOf(input, input), ...wordsOfCode(input.code)]
  await mustBeStrong(system, input.password, words)
  const hash = await passwords.hash(input.password)

  const at = clock.now()
  const office = newOffice(input, settings.uploadLimit)
  const user = newAdministrator(input, office, at)
  const outcome = await db.transaction(async (trx) => {
    await lockUntilCommit(trx, 'installation')
    const isFree = (await listOffices(trx)).length === 0
    if (!isFree || !(await redeemActivation(trx, activation.id, at))) return undefined
    await insertOffice(trx, office)
    await insertUser(trx, user, hash)
    return await completeFirstFactor(trx, {
      user,
      office,
      actor,
      at,
      tokenKey: settings.tokenKey,
      by: 'activation',
      before: installationEvents({ actor, at, office, user, activationId: activation.id }),
    })
  })
  if (!outcome) throw await refuseLink(system, actor)
  return outcome
}

function newAdministrator(input: ActivateInstallation, office: Office, at: Instant): User {
  const { firstName, lastName, email, rfc } = input
  return User.parse({
    id: UserId.parse(randomUUID()),
    officeId: office.id,
    firstName,
    lastName,
    email,
    rfc,
    curp: null,
    state: 'active',
    stateSince: at,
    stateBy: null,
    stateReason: null,
    passwordChangedAt: at,
    passwordChangeSince: null,
    passwordChangeBy: null,
    capacity: null,
    capacityOf: null,
    capacityFrom: null,
    capacityTo: null,
    createdAt: at,
    roles: ['ADMIN'],
  })
}

function installationEvents(made: {
  actor: Actor
  at: Instant
  office: Office
  user: User
  activationId: string
}): NewEvent[] {
  const { actor, at, office, user, activationId } = made
  const all = { actor, at, officeId: office.id }
  const ofUser = { kind: 'user', id: user.id } as const
  const details = { purpose: 'installation', activation: activationId }
  return [
    { ...all, action: 'office.created', subject: { kind: 'office', id: office.id } },
    { ...all, action: 'user.created', subject: ofUser },
    { ...all, action: 'activation.used', subject: ofUser, details },
  ]
}
