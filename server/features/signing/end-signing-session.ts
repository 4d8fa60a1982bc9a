import { discardMailAbout, insertMail } from '#server/db/outbox.ts'
import { revokeSigningLinks } from '#server/db/signing-links.ts'
import { replaceSigningSession } from '#server/db/signing-sessions.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { findUser } from '#server/db/users.ts'
import type { UserId } from '#server/domain/ids.ts'
import type { OpenMailFacts } from '#server/domain/mail/facts.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { mustBecome } from '#server/domain/signing/session/transitions.ts'
import type { Instant } from '#server/domain/time.ts'
import { releaseDocuments } from './release-documents.ts'
import { aboutSession, addressOf } from './tell-turns.ts'

/** How a session ends before everybody has signed. */
export type Ending = {
  state: 'rejected' | 'cancelled'
  reason: string
  /** Null for an external signer. */
  by: UserId | null
  at: Instant
  /** What its people are told. */
  facts: OpenMailFacts
}

/** Ends the session, lets its documents go, makes its links worthless and tells its people. Under its lock. */
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
    throw new Problem('session-state', `${session.id} was ended by somebody else`)
  if (session.state !== 'draft')
    await releaseDocuments(trx, { ceremony, unfinished: state, by, at })
  await revokeSigningLinks(
    trx,
    signers.map(({ id }) => id),
    at,
  )
  await discardMailAbout(trx, aboutSession(session), at)
  if (session.state !== 'draft') await tellPeople(trx, ceremony, ending)
}

/** Whoever made the session and whoever was asked to sign, but not who ended it. */
async function tellPeople(trx: Transaction, ceremony: Ceremony, { facts, by, at }: Ending) {
  const { session, signers } = ceremony
  const author = await findUser(trx, session.createdBy)
  const told = new Map(author && author.id !== by ? [[author.email, author.firstName]] : [])
  for (const signer of signers) {
    const address = await addressOf(trx, signer)
    const wasAsked = signer.state === 'pending' || signer.state === 'signed'
    if (address && wasAsked && (signer.userId === null || signer.userId !== by))
      told.set(address, signer.name)
  }
  for (const [address, name] of told)
    await insertMail(trx, { officeId: session.officeId, to: { name, address }, facts, at })
}
