import { randomBytes } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { refundAttempt } from '#server/db/sign-ins/attempts.ts'
import {
  expiryOfRejectionCode,
  findRejectionCodeTime,
  replaceRejectionCode,
} from '#server/db/signing-sessions/rejection-codes.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import type { Actor, Guest } from '#server/domain/identity/actor.ts'
import { REJECTION_MAILS } from '#server/domain/identity/attempts/throttle.ts'
import { throttleKeys } from '#server/domain/identity/attempts/throttle-keys.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { Problem } from '#server/domain/problem.ts'
import {
  groupedRejectionCode,
  hashOfRejectionCode,
  REJECTION_CODE_BYTES,
  REJECTION_CODE_PAUSE,
  rejectionCodeFrom,
} from '#server/domain/signing/session/rejection-code.ts'
import { signerMustBecome } from '#server/domain/signing/session/transitions.ts'
import { after, type Instant } from '#server/domain/time.ts'
import { queueSealedMail } from '#server/steps/mail/queue-mail.ts'
import {
  consumeLimitedAttempt,
  tooManyAttempts,
} from '#server/steps/sign-ins/consume-limited-attempt.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { aboutRejection, factsOfSession } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { findRejectingGuest } from './find-rejecting-guest.ts'

/**
 * Mails a code to the address that the office has of the external signer: a forwarded link alone rejects nothing. An earlier
 * code ends. A second request within a minute sends nothing, because it may be a double click.
 *
 * @returns when the code expires that was sent last
 * @throws {Problem} `signing-link-over`, `consent-needed`, `session-state`; `no-address` if the office has none;
 *   `too-many-attempts` after five mails in an hour
 */
export async function sendRejectionCode(
  system: System,
  actor: Actor,
): Promise<{ expiresAt: Instant }> {
  const { db, clock } = system
  const at = clock.now()
  const { guest, signer } = await findRejectingGuest(db, actor)
  const { email } = signer
  if (email === null) throw new Problem('no-address', `${signer.id} has no address`)
  const justSent = await timeOfJustSent(db, guest, at)
  if (justSent !== null) return { expiresAt: expiryOfRejectionCode(justSent) }
  const limit = { key: throttleKeys.rejectionMail(signer.id), policy: REJECTION_MAILS }
  const spent = await consumeLimitedAttempt(db, [limit], at)
  if (!spent.allowed) throw tooManyAttempts(spent, 'rejection mails')
  return await db.transaction(async (trx) => {
    const { sentAt, isNew } = await send(trx, system, guest, email, at)
    if (!isNew) await refundAttempt(trx, limit.key)
    return { expiresAt: expiryOfRejectionCode(sentAt) }
  })
}

/** Returns when the newest code was sent: by another request of the same moment, or by this one. */
async function send(
  trx: Transaction,
  { vault }: Pick<System, 'vault'>,
  guest: Guest,
  address: Email,
  at: Instant,
): Promise<{ sentAt: Instant; isNew: boolean }> {
  const ceremony = await lockCeremony(trx, guest.signingSessionId)
  const signer = ceremony.signers.find(({ id }) => id === guest.signerId)
  if (!signer) throw new Error(`${guest.linkId} leads to nothing`)
  signerMustBecome(signer, 'rejected')
  const justSent = await timeOfJustSent(trx, guest, at)
  if (justSent !== null) return { sentAt: justSent, isNew: false }
  const code = rejectionCodeFrom(randomBytes(REJECTION_CODE_BYTES))
  await replaceRejectionCode(trx, guest.linkId, hashOfRejectionCode(guest.linkId, code), at)
  await discardMailAbout(trx, [aboutRejection(signer)], 'newer-mail', at)
  await queueSealedMail(trx, vault, {
    officeId: guest.officeId,
    to: { name: signer.name, address },
    facts: {
      kind: 'rejection-code',
      ...(await factsOfSession(trx, ceremony)).named,
      code: groupedRejectionCode(code),
      codeExpiresAt: expiryOfRejectionCode(at),
    },
    at,
    about: aboutRejection(signer),
  })
  await appendEvent(trx, {
    actor: guest,
    at,
    action: 'signer.rejection-code-sent',
    subject: { kind: 'signing-session', id: guest.signingSessionId },
    details: { signer: signer.id, link: guest.linkId },
  })
  return { sentAt: at, isNew: true }
}

async function timeOfJustSent(db: Reader, { linkId }: Guest, at: Instant): Promise<Instant | null> {
  const sentAt = await findRejectionCodeTime(db, linkId)
  return sentAt !== null && at < after(sentAt, REJECTION_CODE_PAUSE) ? sentAt : null
}
