import { appendEvent } from '#server/db/audit/audit-events.ts'
import { retryMail as retry } from '#server/db/mail/outbox-sending.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { MailId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findOwnMail } from './find-own-mail.ts'

export type RetryMail = { mailId: MailId }

/**
 * Queues a failed or waiting mail for delivery now, with all of its attempts.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `mail-state` when it was sent
 *   or discarded, has expired, or is being sent
 */
export async function retryMail(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { mailId }: RetryMail,
): Promise<void> {
  const at = system.clock.now()
  const { mail, subject } = await findOwnMail(system, actor, mailId, 'mail.manage', at)
  await system.db.transaction(async (trx) => {
    if (!(await retry(trx, mailId, at)))
      throw new Problem('mail-state', `mail ${mailId} cannot be sent any more`)
    const details = { kind: mail.kind, from: mail.state }
    await appendEvent(trx, { actor, at, action: 'mail.retried', subject, details })
  })
}
