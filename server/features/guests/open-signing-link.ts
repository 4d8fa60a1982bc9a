import { randomBytes } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import {
  findLinkByCode,
  type GuestLink,
  guestOf,
  openSigningLink as replaceOpened,
} from '#server/db/signing-sessions/guest-links.ts'
import { lockSigningSession } from '#server/db/signing-sessions/signing-sessions.ts'
import { hashOfToken, TOKEN_BYTES, Token, tokenFrom } from '#server/domain/crypto/token.ts'
import type { ActivationCode } from '#server/domain/identity/activation-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { endedByRejection, isLinkLive } from '#server/domain/signing/session/signing-link.ts'
import { mustOperate } from '#server/steps/policy/must-operate.ts'
import { consumeLinkAttempt } from '#server/steps/sign-ins/consume-link-attempt.ts'
import type { System } from '#server/system.ts'

export type OpenSigningLink = {
  code: ActivationCode
  /** The browser's token of a link opened before; undefined if there is none. */
  held: string | undefined
}

export type OpenedSigningLink =
  /** Set as a cookie in this browser only. */
  | { kind: 'opened'; token: Token }
  /** The link was opened in this browser before; its token stays valid. */
  | { kind: 'held' }
  /** The same, but the signer rejected: `readOwnRejection` has what they may read. */
  | { kind: 'rejected' }

/**
 * Opens a signing link, once, for the browser of this request; the guest's sessions from earlier links end. If
 * we crash after the transaction, the browser may have lost its token: the office must then make a new link, as
 * for one opened elsewhere.
 *
 * @throws {Problem} `too-many-attempts`, `office-suspended`; `signing-link-spent` alike for an unknown code and for a link that was
 *   opened in another browser, expired, or was revoked
 */
export async function openSigningLink(
  system: System,
  actor: Actor,
  { code, held }: OpenSigningLink,
): Promise<OpenedSigningLink> {
  const { db, clock } = system
  const at = clock.now()
  await consumeLinkAttempt(db, actor.ip, at)
  const found = await findLinkByCode(db, code)
  if (found && isHeld(found, held) && endedByRejection(found.link, found.signer.state, at))
    return { kind: 'rejected' }
  if (!found || !isLinkLive(found.link, found.signer.state, found.sessionState, at))
    throw await refuse(system, actor, found)
  await mustOperate(db, found.officeId)
  if (isHeld(found, held)) return { kind: 'held' }
  const token = tokenFrom(randomBytes(TOKEN_BYTES))
  if (!(await open(system, actor, found, token))) throw await refuse(system, actor, found)
  return { kind: 'opened', token }
}

function isHeld({ tokenHash }: GuestLink, held: string | undefined): boolean {
  const token = Token.safeParse(held)
  return token.success && tokenHash === hashOfToken(token.data)
}

/** False if the link was already opened. */
async function open(
  { db, clock }: System,
  actor: Actor,
  found: GuestLink,
  token: Token,
): Promise<boolean> {
  const at = clock.now()
  return await db.transaction(async (trx) => {
    const { link, signer } = found
    await lockSigningSession(trx, signer.signingSessionId)
    if (!(await replaceOpened(trx, link, hashOfToken(token), at))) return false
    await appendEvent(trx, {
      actor: guestOf(found, actor),
      at,
      action: 'signer.link-opened',
      subject: { kind: 'signing-session', id: signer.signingSessionId },
      details: {
        link: link.id,
        // Log it if a signed-in user opens the link: it was not made for them.
        ...(actor.kind === 'person' && { signedIn: actor.userId }),
      },
    })
    return true
  })
}

/** Logs the refusal for the link's office, without the code: it may be nearly right. */
async function refuse(
  { db, clock }: System,
  actor: Actor,
  found: GuestLink | undefined,
): Promise<Problem> {
  const { signer, link } = found ?? {}
  await db.transaction((trx) =>
    appendEvent(trx, {
      actor,
      at: clock.now(),
      officeId: found?.officeId ?? null,
      action: 'signer.link-refused',
      subject: signer
        ? { kind: 'signing-session', id: signer.signingSessionId }
        : { kind: 'nothing' },
      result: 'refused',
      ...(signer && link && { details: { signer: signer.id, link: link.id, state: link.state } }),
    }),
  )
  return new Problem('signing-link-spent', 'a code that opens nothing')
}
