import { resolveAlertsAbout } from '#server/db/alerts/alerts.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import { findUser } from '#server/db/people/users.ts'
import { revokeSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import { replaceSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { matters } from '#server/domain/alerts/occasions.ts'
import type { Email } from '#server/domain/identity/email.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { EndingFacts } from '#server/domain/mail/facts.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Ceremony, hasSignedAny } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { mustBecome } from '#server/domain/signing/session/transitions.ts'
import type { Instant } from '#server/domain/time.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import { aboutRejection, aboutSigner, listReached } from './notify-signers.ts'
import { releaseDocuments } from './release-documents.ts'

/** Why a session ends early, and who ends it. */
export type Ending = {
  state: 'rejected' | 'cancelled'
  reason: string
  /** Null for an external signer. */
  by: UserId | null
  at: Instant
  /** The facts for the mail. */
  facts: EndingFacts
}

/**
 * Ends the session, releases its documents and notifies its people. Links of signers who signed nothing are
 * revoked; the others keep giving access to the signed copy until they expire. The caller must hold the
 * session's lock.
 */
export async function endSigningSession(
  trx: Transaction,
  ceremony: Ceremony,
  ending: Ending,
): Promise<void> {
  const { session, signers } = ceremony
  const { state, reason, by, at } = ending
  mustBecome(session, state)
  const next = { ...session, state, stateSince: at, stateBy: by, stateReason: reason }
  if (!(await replaceSigningSession(trx, session, next)))
    throw new Problem('session-state', `${session.id} was ended meanwhile`)
  await resolveAlertsAbout(trx, matters.sessionLate(session.id), { at, by })
  if (session.state !== 'draft')
    await releaseDocuments(trx, { ceremony, unfinished: state, by, at })
  const withoutCopy = signers.map(({ id }) => id).filter((id) => !hasSignedAny(ceremony, id))
  await revokeSigningLinks(trx, withoutCopy, at)
  const about = [...signers.map(aboutSigner), ...signers.map(aboutRejection)]
  await discardMailAbout(trx, about, 'session-over', at)
  if (session.state !== 'draft') await notifyPeople(trx, ceremony, ending)
}

/** Mails the author and the signers, except the one who ended the session. */
async function notifyPeople(trx: Transaction, ceremony: Ceremony, { facts, by, at }: Ending) {
  const { session, signers } = ceremony
  const factsFor = ({ id, userId }: Signer): EndingFacts =>
    hasSignedAny(ceremony, id)
      ? { ...facts, copy: userId === null ? 'where-they-signed' : 'in-rubrica' }
      : facts
  const author = await findUser(trx, session.createdBy)
  const recipients = new Map<Email, { name: string; facts: EndingFacts }>()
  if (author && author.id !== by) recipients.set(author.email, { name: fullName(author), facts })
  for (const { signer, address } of await listReached(trx, signers)) {
    const wasAsked = signer.state === 'pending' || signer.state === 'signed'
    if (wasAsked && (signer.userId === null || signer.userId !== by))
      recipients.set(address, { name: signer.name, facts: factsFor(signer) })
  }
  await queueMails(
    trx,
    [...recipients].map(([address, { name, facts }]) => ({
      officeId: session.officeId,
      to: { name, address },
      facts,
      at,
    })),
  )
}
