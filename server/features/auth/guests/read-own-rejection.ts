import { findOffice } from '#server/db/people/offices.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { findLinkByToken } from '#server/db/signing-sessions/guest-links.ts'
import { hashOfToken, Token } from '#server/domain/crypto/token.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { endedByRejection } from '#server/domain/signing/session/signing-link.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import type { System } from '#server/system.ts'

/** What a signer may still read whose link ended with their own rejection. */
export type OwnRejection = { signer: Signer; session: SigningSession; office: Office }

/**
 * The rejection of the external signer who opened their link in the browser with this token; undefined if the link did not end
 * by it, or has expired. They see their own act, and no document.
 *
 * @param token as the browser sent it
 */
export async function readOwnRejection(
  { db, clock }: Pick<System, 'db' | 'clock'>,
  token: string | undefined,
): Promise<OwnRejection | undefined> {
  const known = Token.safeParse(token)
  const found = known.success && (await findLinkByToken(db, hashOfToken(known.data)))
  if (!found || !endedByRejection(found.link, found.signer.state, clock.now())) return undefined
  const ceremony = await findCeremony(db, found.signer.signingSessionId)
  const signer = ceremony?.signers.find(({ id }) => id === found.signer.id)
  const office = await findOffice(db, found.officeId)
  // A link that was revoked earlier was another browser's.
  if (!ceremony || !office || signer?.stateSince !== found.link.stateSince) return undefined
  return { signer, session: ceremony.session, office }
}
