import { insertActivation } from '#server/db/activations.ts'
import { appendEvent } from '#server/db/audit-events.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { ActivationPurpose } from '#server/domain/identity/activation.ts'
import type { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Person } from '#server/domain/identity/actor.ts'
import type { ActivationId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** A link to come in. Its code is told here once: nobody can read it again. */
export type NewLink = {
  id: ActivationId
  userId: UserId
  purpose: ActivationPurpose
  code: ActivationCode
  expiresAt: Instant
}

/** Makes a link for somebody; earlier ones that they have not used open nothing any more. */
export async function makeLink(
  trx: Transaction,
  by: Person,
  userId: UserId,
  purpose: 'activation' | 'recovery',
  at: Instant,
): Promise<NewLink> {
  const made = await insertActivation(trx, { userId, purpose, by: by.userId, at })
  return { ...made, userId, purpose }
}

export async function tellLink(
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
