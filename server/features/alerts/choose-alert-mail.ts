import { z } from 'zod'
import { findAlertMail, replaceAlertMail } from '#server/db/alerts/alert-preferences.ts'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { AlertMail } from '#server/domain/alerts/alert-mail.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

export const ChooseAlertMail = z.object({ mail: AlertMail })
export type ChooseAlertMail = z.infer<typeof ChooseAlertMail>

/**
 * Chooses how the caller gets alerts by mail.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function chooseAlertMail(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
  { mail }: ChooseAlertMail,
): Promise<void> {
  const at = clock.now()
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'alerts.manage-own', own, at)
  await db.transaction(async (trx) => {
    if ((await chosenBy(trx, userId)) === mail) return
    await replaceAlertMail(trx, userId, mail, at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'user.changed',
      subject: { kind: 'user', id: userId },
      details: { changed: 'alertMail', alertMail: mail },
    })
  })
}

/** @throws {Problem} `not-signed-in`, `forbidden` */
export async function readAlertMail(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  actor: Actor,
): Promise<AlertMail> {
  const own = mustBeSignedIn(actor)
  const { userId } = await authorizeOrRecord(db, actor, 'alerts.manage-own', own, clock.now())
  return await chosenBy(db, userId)
}

const chosenBy = async (db: Parameters<typeof findAlertMail>[0], userId: UserId) =>
  (await findAlertMail(db, [userId])).get(userId) ?? 'each'
