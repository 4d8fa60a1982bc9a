import { appendEvent } from '#server/db/audit/audit-events.ts'
import { discardMail as discard } from '#server/db/mail/outbox-discarding.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { MailId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { System } from '#server/system.ts'
import { findOwnMail } from './find-own-mail.ts'

export type DiscardMail = { mailId: MailId }

/**
 * Discards a mail that was not sent; the facts that it reports stay as they are.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `step-up-needed`, `not-found`; `mail-state` when it was sent,
 *   or is being sent
 */
export async function discardMail(
  system: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { mailId }: DiscardMail,
): Promise<void> {
  const at = system.clock.now()
  const { mail, subject } = await findOwnMail(system, actor, mailId, 'mail.manage', at)
  await system.db.transaction(async (trx) => {
    if (!(await discard(trx, mailId, at)))
      throw new Problem('mail-state', `mail ${mailId} cannot be discarded any more`)
    const details = { kind: mail.kind, from: mail.state }
    await appendEvent(trx, { actor, at, action: 'mail.discarded', subject, details })
  })
}
