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
import { mailedAtOnce } from '#server/steps/alerts/mailed-at-once.ts'
import { queueMails } from '#server/steps/mail/queue-mail.ts'
import { aboutRejection, aboutSigner, factsOfSession, listReached } from './notify-signers.ts'
import { releaseDocuments } from './release-documents.ts'

/** Why a session ends early, and who ends it. */
export type Ending = {
  reason: string
  /** Null for an external signer. */
  by: UserId | null
  at: Instant
} & (
  | { state: 'rejected' /** Of the session, for its staff. */; page: string }
  | { state: 'cancelled' /** Name of the user who cancels. */; byName: string }
)

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

/** Mails the author and the signers, except the one who ended the session; a rejection to staff as each prefers. */
async function notifyPeople(trx: Transaction, ceremony: Ceremony, ending: Ending) {
  const { session, signers } = ceremony
  const { by, at } = ending
  const { toStaff, toExternal } = await factsOfEnding(trx, ceremony, ending)
  const factsFor = ({ id, userId }: Signer): EndingFacts => {
    if (!hasSignedAny(ceremony, id)) return userId === null ? toExternal : toStaff
    return userId === null
      ? { ...toExternal, copy: 'where-they-signed' }
      : { ...toStaff, copy: 'in-rubrica' }
  }
  const recipients = new Map<Email, { name: string; user: UserId | null; facts: EndingFacts }>()
  const author = await findUser(trx, session.createdBy)
  if (author && author.id !== by)
    recipients.set(author.email, { name: fullName(author), user: author.id, facts: toStaff })
  for (const { signer, address } of await listReached(trx, signers.filter(wasAsked))) {
    const { name, userId } = signer
    if (userId === null || userId !== by)
      recipients.set(address, { name, user: userId, facts: factsFor(signer) })
  }
  const staff = [...recipients.values()].flatMap(({ user }) => user ?? [])
  const reached =
    ending.state === 'rejected'
      ? await mailedAtOnce(trx, { kind: 'signing-rejected', own: 'each' }, staff)
      : new Set(staff)
  await queueMails(
    trx,
    [...recipients]
      .filter(([, { user }]) => user === null || reached.has(user))
      .map(([address, { name, facts }]) => ({
        ...{ officeId: session.officeId, to: { name, address } },
        ...{ facts, at },
      })),
  )
}

/** Whether the office asks the signer to sign: not of those who were replaced or have rejected. */
export const wasAsked = ({ state }: Signer) => state === 'pending' || state === 'signed'

async function factsOfEnding(
  trx: Transaction,
  ceremony: Ceremony,
  ending: Ending,
): Promise<{ toStaff: EndingFacts; toExternal: EndingFacts }> {
  const { named, numbered } = await factsOfSession(trx, ceremony)
  const { reason } = ending
  if (ending.state === 'rejected') {
    const { page } = ending
    const kind = 'signing-rejected' as const
    return { toStaff: { kind, ...numbered, page }, toExternal: { kind, ...named, reason } }
  }
  const cancelled = { kind: 'signing-cancelled', by: ending.byName } as const
  return { toStaff: { ...cancelled, ...numbered }, toExternal: { ...cancelled, ...named, reason } }
}
