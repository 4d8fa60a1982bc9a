import { z } from 'zod'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { discardMailAbout } from '#server/db/mail/outbox-discarding.ts'
import {
  insertSigningLink,
  listSigningLinks,
  type NewSigningLink,
  revokeSigningLinks,
} from '#server/db/signing-sessions/signing-links.ts'
import { lockSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { SignerId, type SigningLinkId, SigningSessionId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { expiryOfLink, isLinkLive } from '#server/domain/signing/session/signing-link.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import type { Instant } from '#server/domain/time.ts'
import { lockCeremony } from '#server/steps/signing/lock-ceremony.ts'
import { aboutRejection, aboutSigner } from '#server/steps/signing/notify-signers.ts'
import type { System } from '#server/system.ts'
import { findManagedSession } from './find-managed-session.ts'

export const LinkedSigner = z.object({ signingSessionId: SigningSessionId, signerId: SignerId })
export type LinkedSigner = z.infer<typeof LinkedSigner>

type RenewSigningLink = LinkedSigner & {
  /** The working link that the user agreed to end; null if the page showed none. */
  replaces: SigningLinkId | null
}

/**
 * Makes a new link for an external signer, to show on the screen; earlier links stop working. The code is
 * returned only here. A working link ends only if the user agreed to that: a form that is sent twice, or a page that
 * is out of date, ends none.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `session-state`; `signing-link-changed` if another link works
 *   than `replaces`
 */
export async function renewSigningLink(
  system: System,
  actor: Actor,
  { signingSessionId: id, signerId, replaces }: RenewSigningLink,
): Promise<NewSigningLink> {
  const { db, clock } = system
  const at = clock.now()
  const { person, subject } = await findManagedSession(system, actor, id, at)
  return await db.transaction(async (trx) => {
    const { session, ...ceremony } = await lockCeremony(trx, id)
    const signer = mustBeExternal({ session, ...ceremony }, signerId, at)
    const [current] = await listSigningLinks(trx, [signerId], at)
    const live = current && isLinkLive(current, signer.state, session.state, at) ? current : null
    if ((live?.id ?? null) !== replaces)
      throw new Problem('signing-link-changed', `${signerId} has ${live?.id}, not ${replaces}`)
    const expiresAt = expiryOfLink(at, session.deadline)
    const by = person.userId
    const about = [aboutSigner({ id: signerId }), aboutRejection({ id: signerId })]
    await discardMailAbout(trx, about, 'link-over', at)
    const link = await insertSigningLink(trx, { signerId, by, at, expiresAt, ends: 'everything' })
    await appendEvent(trx, {
      actor,
      at,
      action: 'signer.link-created',
      subject,
      details: { signer: signerId, link: link.id },
    })
    return link
  })
}

/**
 * Revokes the signer's links and ends what they opened.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`
 */
export async function revokeSigningLink(
  system: System,
  actor: Actor,
  { signingSessionId: id, signerId }: LinkedSigner,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { ceremony, subject } = await findManagedSession(system, actor, id, at)
  if (!ceremony.signers.some((one) => one.id === signerId))
    throw new Problem('not-found', `no signer ${signerId} in ${id}`)
  await db.transaction(async (trx) => {
    await lockSigningSession(trx, id)
    await revokeSigningLinks(trx, [signerId], at)
    const about = [aboutSigner({ id: signerId }), aboutRejection({ id: signerId })]
    await discardMailAbout(trx, about, 'link-over', at)
    await appendEvent(trx, {
      actor,
      at,
      action: 'signer.link-revoked',
      subject,
      details: { signer: signerId },
    })
  })
}

function mustBeExternal(ceremony: Ceremony, signerId: SignerId, now: Instant): Signer {
  const signer = ceremony.signers.find(({ id }) => id === signerId)
  if (!signer || signer.userId !== null) throw new Problem('not-found', `${signerId} has no links`)
  if (!isOpenAt(ceremony.session, now) || signer.state === 'replaced')
    throw new Problem('session-state', `${signerId} is not asked any more`)
  return signer
}
