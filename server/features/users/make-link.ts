import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertActivation, mailSubjectOf } from '#server/db/people/activations.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { ActivationPurpose } from '#server/domain/identity/activation.ts'
import {
  type ActivationCode,
  activationLink,
  groupedActivationCode,
} from '#server/domain/identity/activation-code.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { User } from '#server/domain/identity/user.ts'
import type { ActivationId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'
import { queueSealedMail } from '#server/steps/mail/queue-mail.ts'
import type { System } from '#server/system.ts'

/** An activation or recovery link. The code is returned only here. */
export type NewLink = {
  id: ActivationId
  userId: UserId
  purpose: ActivationPurpose
  code: ActivationCode
  expiresAt: Instant
}

/** Makes a link and queues its mail; the user's earlier unused links are revoked. */
export async function makeLink(
  { vault, settings }: Pick<System, 'vault' | 'settings'>,
  trx: Transaction,
  by: Person,
  user: User,
  purpose: 'activation' | 'recovery',
  at: Instant,
): Promise<NewLink> {
  const made = await insertActivation(trx, { userId: user.id, purpose, by: by.userId, at })
  await queueSealedMail(trx, vault, {
    officeId: user.officeId,
    to: { name: fullName(user), address: user.email },
    facts: {
      kind: purpose === 'activation' ? 'account-invitation' : 'account-recovery',
      by: fullName(by),
      code: groupedActivationCode(made.code),
      secretLink: activationLink(settings.publicOrigin, made.code),
      linkExpiresAt: made.expiresAt,
    },
    at,
    about: mailSubjectOf(made.id),
  })
  return { ...made, userId: user.id, purpose }
}

export async function recordLink(
  trx: Transaction,
  by: Person,
  link: NewLink,
  at: Instant,
): Promise<void> {
  await appendEvent(trx, {
    actor: by,
    at,
    action: 'activation.created',
    subject: { kind: 'activation', id: link.id },
    details: { purpose: link.purpose, user: link.userId },
  })
}
