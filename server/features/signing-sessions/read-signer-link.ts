import { findMailAbout, type MailOutcome } from '#server/db/mail/outbox.ts'
import { findOffice } from '#server/db/people/offices.ts'
import { listSigningLinks } from '#server/db/signing-sessions/signing-links.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { isLinkLive, type SigningLink } from '#server/domain/signing/session/signing-link.ts'
import { isOpenAt, type SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { aboutSigner } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'
import type { LinkedSigner } from './renew-signing-link.ts'

/** The current link of an external signer: the one open in a browser, else the newest. */
export type SignerLink = {
  session: SigningSession
  signer: Signer
  office: Office
  link: SigningLink | undefined
  /** The mail that brings this link; undefined if it was only made for the screen. */
  mail: MailOutcome | undefined
  /** Whether the link still works. */
  isLive: boolean
  /** Whether a new link can be made: the signer has not finished. */
  canRenew: boolean
}

/** @throws {Problem} `not-signed-in`, `forbidden`; `not-found` also for a signer who has an account */
export async function readSignerLink(
  system: System,
  actor: Actor,
  { signingSessionId, signerId }: LinkedSigner,
): Promise<SignerLink> {
  const { db, clock } = system
  const now = clock.now()
  const { ceremony } = await findManagedSession(system, actor, signingSessionId, now)
  const { session } = ceremony
  const signer = ceremony.signers.find(({ id }) => id === signerId)
  const office = await findOffice(db, session.officeId)
  if (!signer || signer.userId !== null || !office)
    throw new Problem('not-found', `${signerId} has no links in ${signingSessionId}`)
  const [link] = await listSigningLinks(db, [signerId], now)
  return {
    session,
    signer,
    office,
    link,
    mail: link && (await findMailAbout(db, { about: aboutSigner(signer), since: link.createdAt })),
    isLive: link !== undefined && isLinkLive(link, signer.state, session.state, now),
    canRenew: isOpenAt(session, now) && signer.state !== 'replaced',
  }
}
