import { randomUUID } from 'node:crypto'
import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { insertActivation } from '#server/db/people/activations.ts'
import { findCredentials } from '#server/db/people/credentials.ts'
import { listUsers } from '#server/db/people/users.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { activationLink } from '#server/domain/identity/activation-code.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import type { System } from '#server/system.ts'

type Recovering = Pick<System, 'db' | 'clock'> & {
  settings: Pick<System['settings'], 'publicOrigin'>
}

export type RecoveryOffer = {
  /** For the operator's eyes only. */
  link: string
  name: string
  expiresAt: Instant
}

/** Who makes the link, in the log and in alerts. */
const BY = 'rubrica recover-administrator'

/**
 * Makes a recovery link for an administrator on the server's machine: a sole administrator who forgot the password
 * cannot ask another one. Second factors stay and are still required. All users of the office are alerted: with
 * access to the machine an account could be taken over.
 *
 * @throws {Problem} `not-found` for an address that is of no active administrator
 */
export async function recoverAdministrator(
  { db, clock, settings }: Recovering,
  { email }: { email: Email },
): Promise<RecoveryOffer> {
  const at = clock.now()
  const found = await findCredentials(db, email)
  return await db.transaction(async (trx) => {
    const user = (found ? await listUsers(trx, found.user.officeId) : []).find(
      ({ id, state, roles }) =>
        id === found?.user.id && state === 'active' && roles.includes('ADMIN'),
    )
    if (!user) throw new Problem('not-found', 'no active administrator has this address')
    const made = await insertActivation(trx, { userId: user.id, purpose: 'recovery', by: null, at })
    await alertOffice(trx, user, at)
    await appendSystemEvent(trx, {
      by: BY,
      at,
      officeId: user.officeId,
      action: 'activation.created',
      subject: { kind: 'activation', id: made.id },
      result: 'success',
      details: { purpose: 'recovery', user: user.id },
    })
    const link = activationLink(settings.publicOrigin, made.code)
    return { link, name: fullName(user), expiresAt: made.expiresAt }
  })
}

async function alertOffice(trx: Transaction, administrator: User, at: Instant): Promise<void> {
  const unique = randomUUID()
  for (const { id, state } of await listUsers(trx, administrator.officeId)) {
    if (state !== 'active') continue
    await raiseAlert(trx, {
      officeId: administrator.officeId,
      userId: id,
      kind: 'administrator-recovered',
      severity: 'danger',
      subjectKind: 'user',
      subjectId: administrator.id,
      facts: { by: BY },
      occasion: occasions.accountWarning('administrator-recovered', id, unique),
      at,
    })
  }
}
