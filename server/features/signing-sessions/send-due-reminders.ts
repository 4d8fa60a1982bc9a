import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { findUser } from '#server/db/people/users.ts'
import {
  type DueReminder,
  findReminder,
  listDueReminders,
  replaceReminderDue,
} from '#server/db/signing-sessions/reminders.ts'
import { replaceSigner } from '#server/db/signing-sessions/signers.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { signersInTurn } from '#server/domain/signing/session/ceremony.ts'
import { nextReminder, wasJustReminded } from '#server/domain/signing/session/reminders.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import { days, type Instant } from '#server/domain/time.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { notifySigners } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'

const BATCH = 100

/**
 * Reminds the signers who have waited as long as their office says. Safe to run in two processes at once: each reminder is
 * sent under the lock of its session, in the transaction that moves the date of the next one.
 *
 * @param stopping ends the run after the current signer
 */
export async function sendDueReminders(system: System, stopping?: AbortSignal): Promise<void> {
  const { db, clock } = system
  for (;;) {
    const due = await listDueReminders(db, clock.now(), BATCH)
    for (const one of due) {
      if (stopping?.aborted) return
      await db.transaction((trx) => remind(trx, system, one, clock.now()))
    }
    if (due.length < BATCH) return
  }
}

async function remind(
  trx: Transaction,
  system: System,
  { signerId, signingSessionId: id }: DueReminder,
  at: Instant,
): Promise<void> {
  const ceremony = await lockCeremony(trx, id)
  const reminder = await findReminder(trx, signerId)
  // Another process sent it, or the office changed its policy.
  if (!reminder?.due || reminder.due > at) return
  const { session } = ceremony
  const office = await findOffice(trx, session.officeId)
  const signer = signersInTurn(ceremony).find((one) => one.id === signerId)
  const isAwaited = signer !== undefined && isOpenAt(session, at)
  const next = isAwaited && office ? nextReminder(office.reminders, reminder.turnSince, at) : null
  await replaceReminderDue(trx, signerId, next)
  if (!isAwaited || wasJustReminded(signer, at) || !(await canSignIn(trx, signer))) return
  if ((await notifySigners(trx, system, ceremony, [signer], 'signing-reminder', at)) === 0) return
  await replaceSigner(trx, signer, { ...signer, remindedAt: at })
  await appendSystemEvent(trx, {
    by: 'clock',
    at,
    officeId: session.officeId,
    action: 'signer.reminded',
    subject: { kind: 'signing-session', id },
    result: 'success',
    details: {
      signer: signerId,
      name: signer.name,
      day: Math.round((reminder.due - reminder.turnSince) / days(1)),
    },
  })
}

/** A reminder is useless to a user whose account is suspended. */
async function canSignIn(trx: Transaction, { userId }: Signer): Promise<boolean> {
  return userId === null || (await findUser(trx, userId))?.state === 'active'
}
