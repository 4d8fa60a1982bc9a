import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { lockUntilCommit } from '#server/db/lock.ts'
import { insertActivation } from '#server/db/people/activations.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { insertOffice, listOffices } from '#server/db/people/offices.ts'
import { insertUser } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { lockAuthorities } from '#server/db/trust/authorities.ts'
import { activationLink } from '#server/domain/identity/activation-code.ts'
import { newOffice } from '#server/domain/identity/new-office.ts'
import { type Office, OfficeIdentity } from '#server/domain/identity/office.ts'
import { User } from '#server/domain/identity/user.ts'
import { type ActivationId, UserId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Signing } from '#server/steps/audit/sign-next.ts'
import type { System } from '#server/system.ts'
import { openLogs } from './open-logs.ts'

export const CreateOffice = z.object({
  office: OfficeIdentity,
  /** The first administrator. */
  administrator: z.object({
    firstName: User.shape.firstName,
    lastName: User.shape.lastName,
    email: User.shape.email,
    rfc: User.shape.rfc,
  }),
})
export type CreateOffice = z.infer<typeof CreateOffice>

export type CreatedOffice = {
  office: Office
  /** With which the administrator chooses a password; for the operator's eyes only. */
  link: string
  expiresAt: Instant
}

type Creating = Signing &
  Pick<System, 'db'> & { settings: Pick<System['settings'], 'publicOrigin' | 'uploadLimit'> }

/** What makes the office, in the log. */
const BY = 'rubrica office create'

/**
 * Adds an office to an installation that has one: with a log of its own, and a link for its first administrator. The
 * server may keep running. All its writers wait until what no checkpoint covers yet is signed.
 *
 * @throws {Problem} `wrong-state` without a first office, `office-taken`, `address-taken`
 * @throws {LogMismatch} if the log of the installation has a fault
 */
export async function createOffice(
  system: Creating,
  { office: identity, administrator }: CreateOffice,
): Promise<CreatedOffice> {
  const { db, clock, settings } = system
  const at = clock.now()
  const office = newOffice(identity, settings.uploadLimit)
  const user = invitedAdministrator(administrator, office, at)
  const made = await db.transaction(async (trx) => {
    await lockUntilCommit(trx, 'installation')
    // A decision of the only office counts for the installation: it comes before this commit, or for its office.
    await lockAuthorities(trx)
    const others = await listOffices(trx)
    mustBeAnother(identity, others)
    await mustBeUnknown(trx, user)
    await insertOffice(trx, office)
    await insertUser(trx, user, null)
    const link = { userId: user.id, purpose: 'activation', by: null, at } as const
    const activation = await insertActivation(trx, link)
    const ids = others.map(({ id }) => id)
    await openLogs(trx, { clock, settings, by: BY, at }, office.id, ids)
    await record(trx, office, user, activation.id, at)
    return activation
  })
  const link = activationLink(settings.publicOrigin, made.code)
  return { office, link, expiresAt: made.expiresAt }
}

/** @throws {Problem} `wrong-state`, `office-taken` */
function mustBeAnother({ number, entity }: OfficeIdentity, others: readonly Office[]): void {
  if (others.length === 0) throw new Problem('wrong-state', 'the first office is made by its link')
  if (others.some((one) => one.number === number && one.entity === entity))
    throw new Problem('office-taken', `${number} of ${entity}`)
}

/** @throws {Problem} `address-taken` */
async function mustBeUnknown(trx: Transaction, { email }: User): Promise<void> {
  await lockUntilCommit(trx, `email:${email}`)
  if (await findCredentials(trx, email))
    throw new Problem('address-taken', 'someone signs in with this address')
}

async function record(
  trx: Transaction,
  office: Office,
  user: User,
  activationId: ActivationId,
  at: Instant,
): Promise<void> {
  const all = { by: BY, at, officeId: office.id, result: 'success', details: {} } as const
  await appendSystemEvent(trx, {
    ...{ ...all, action: 'office.created', subject: { kind: 'office', id: office.id } },
  })
  await appendSystemEvent(trx, {
    ...{ ...all, action: 'user.created', subject: { kind: 'user', id: user.id } },
    details: { roles: user.roles.join() },
  })
  await appendSystemEvent(trx, {
    ...{ ...all, action: 'activation.created', subject: { kind: 'activation', id: activationId } },
    details: { purpose: 'activation', user: user.id },
  })
}

function invitedAdministrator(
  given: CreateOffice['administrator'],
  office: Office,
  at: Instant,
): User {
  return User.parse({
    ...{ ...given, id: UserId.parse(randomUUID()), officeId: office.id, curp: null },
    ...{ state: 'invited', stateSince: at, stateBy: null, stateReason: null },
    ...{ passwordChangedAt: null, passwordChangeSince: null, passwordChangeBy: null },
    ...{ capacity: null, capacityOf: null, capacityFrom: null, capacityTo: null },
    ...{ createdAt: at, roles: ['ADMIN'] },
  })
}
