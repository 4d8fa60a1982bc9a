import { appendSystemEvent } from '#server/db/audit/audit-events.ts'
import { listNamedVersions } from '#server/db/documents/document-versions.ts'
import { discardExpiredMail, listExpiredMail } from '#server/db/mail/outbox-discarding.ts'
import { claimDueMail, finishMail, hasDueMail } from '#server/db/mail/outbox-sending.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { occasions } from '#server/domain/alerts/occasions.ts'
import { DatabaseUnreachable } from '#server/domain/installation/database-unreachable.ts'
import { distinctNames } from '#server/domain/mail/distinct-names.ts'
import { fitIntoMail, type Mail } from '#server/domain/mail/mail.ts'
import { nextAttemptAfter } from '#server/domain/mail/next-attempt.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import type { Delivery, Mailer, OutgoingMail } from '#server/ports/mailer.ts'
import { raiseAlert } from '#server/steps/alerts/raise-alert.ts'
import { listMailRoutes, type MailRoute } from '#server/steps/mail/find-mailer.ts'
import type { System } from '#server/system.ts'
import { sentenceOfUnsent } from '#server/words/mail/unsent.ts'
import { openBody } from './open-body.ts'

/** Most mails sent per run by each server. */
const AT_ONCE = 50
/** Most expired mails per run. */
const EXPIRED_AT_ONCE = 200

type Sending = Pick<System, 'db' | 'clock' | 'vault' | 'blobs' | 'mailer' | 'mailers'>

/**
 * Sends due mail and expires old mail. Safe to run twice, and in two processes at once: each mail is leased to
 * one of them.
 *
 * If we crash after the server accepted a mail and before the commit, the lease ends and the mail is sent
 * again: at least once. Both copies have the same Message-ID, so a receiver may drop one.
 *
 * @param stopping ends the run after the current mail
 * @returns the number of mails handed over
 * @throws {AggregateError} at the end, if the mail of some offices could not be sent for a fault of ours
 */
export async function sendDueMail(system: Sending, stopping?: AbortSignal): Promise<number> {
  await discardExpired(system)
  let sent = 0
  const faults: unknown[] = []
  for (const route of await listMailRoutes(system)) {
    if (stopping?.aborted) break
    try {
      sent += await sendBy(system, route, stopping)
    } catch (error) {
      // The next office would wait for the database, too.
      if (error instanceof DatabaseUnreachable) throw error
      faults.push(error)
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'some mail cannot be sent')
  return sent
}

/** Each server has its own run: one that is away does not hold up the mail of another office. */
async function sendBy(
  system: Sending,
  { mailer, officeId }: MailRoute,
  stopping?: AbortSignal,
): Promise<number> {
  const { db, clock } = system
  if (!(await hasDueMail(db, clock.now(), officeId))) return 0
  let sent = 0
  for (let count = 0; count < AT_ONCE && !stopping?.aborted; count++) {
    const mail = await db.transaction((trx) => claimDueMail(trx, clock.now(), officeId))
    if (!mail) break
    const delivery = await deliver(system, mailer, mail)
    await db.transaction((trx) => settle(trx, mail, delivery, clock.now()))
    if (delivery.kind === 'accepted') sent += 1
    // The server is down: the other mails keep their attempts.
    if (delivery.kind === 'unreachable') break
  }
  return sent
}

async function discardExpired({ db, clock }: Sending): Promise<void> {
  const now = clock.now()
  const expired = await listExpiredMail(db, { now, limit: EXPIRED_AT_ONCE })
  if (expired.length > 0) await db.transaction((trx) => discardExpiredMail(trx, expired, now))
}

async function deliver(system: Sending, mailer: Mailer, mail: Mail): Promise<Delivery> {
  try {
    const attachments = await openAttachments(system, mail)
    return await mailer.send({
      id: mail.id,
      to: mail.to,
      subject: mail.subject,
      ...openBody(system, mail),
      at: mail.createdAt,
      attachments,
    })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const kind = error.code === 'files-unreachable' ? 'delayed' : 'refused'
    return { kind, answer: sentenceOfUnsent(error.code) }
  }
}

async function openAttachments(
  { db, blobs }: Sending,
  { id, attachments }: Mail,
): Promise<OutgoingMail['attachments']> {
  const known = await listNamedVersions(db, attachments)
  const found = attachments.map(({ documentId, version }) => {
    const one = known.find((each) => each.documentId === documentId && each.version === version)
    if (!one) throw new Problem('not-found', `a document of mail ${id} is gone`)
    return one
  })
  if (!fitIntoMail(found.map(({ bytes }) => bytes)))
    throw new Problem('too-large', `the documents of mail ${id}`)
  const names = distinctNames(found.map(({ fileName }) => fileName))
  return found.map((version, index) => ({
    name: names[index] ?? '',
    content: blobs.stream(version, 0, version.bytes),
  }))
}

async function settle(
  trx: Transaction,
  mail: Mail,
  delivery: Delivery,
  at: Instant,
): Promise<void> {
  if (delivery.kind === 'accepted') {
    if (await finishMail(trx, mail, { state: 'sent' }, at)) await record(trx, mail, 'mail.sent', at)
    return
  }
  const error = delivery.answer
  const nextAttemptAt =
    delivery.kind === 'refused' ? undefined : nextAttemptAfter(mail.attempts, at)
  if (nextAttemptAt) {
    await finishMail(trx, mail, { state: 'waiting', nextAttemptAt, error }, at)
    return
  }
  if (!(await finishMail(trx, mail, { state: 'failed', error }, at))) return
  await raiseAlert(trx, {
    officeId: mail.officeId,
    userId: null,
    kind: 'mail-failed',
    severity: 'warning',
    subjectKind: 'mail',
    subjectId: mail.id,
    facts: { subject: mail.subject, name: mail.to.name },
    occasion: occasions.mailFailed(mail.officeId, at),
    at,
  })
  await record(trx, mail, 'mail.failed', at)
}

async function record(
  trx: Transaction,
  { id, officeId, kind, attempts }: Mail,
  action: 'mail.sent' | 'mail.failed',
  at: Instant,
): Promise<void> {
  await appendSystemEvent(trx, {
    by: 'send-mail',
    at,
    officeId,
    action,
    subject: { kind: 'mail', id },
    result: action === 'mail.sent' ? 'success' : 'refused',
    details: { kind, attempts },
  })
}
