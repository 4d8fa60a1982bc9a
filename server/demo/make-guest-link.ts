import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { listSessionsOf } from '#server/db/signing-sessions/session-documents.ts'
import type { User } from '#server/domain/identity/user.ts'
import { signingLinkAddress } from '#server/domain/signing/session/signing-link.ts'
import { readSignerLink } from '#server/features/signing-sessions/read-signer-link.ts'
import { renewSigningLink } from '#server/features/signing-sessions/renew-signing-link.ts'
import type { System } from '#server/system.ts'
import { actorFor } from './demo-actor.ts'
import { findSample } from './find-sample.ts'
import { GUEST } from './people.ts'
import { SAMPLE_SESSIONS } from './sample-sessions.ts'

/**
 * Makes a link for the external signer of the demo; only its hash is stored, so each start makes another one, which ends the
 * last.
 *
 * @returns its address; null once they have signed or the session is over
 */
export async function makeGuestLink(
  system: System,
  users: readonly User[],
): Promise<string | null> {
  const clerk = actorFor(system, users, 'auxiliar')
  const asked = await findAsked(system, clerk)
  if (!asked) return null
  const { link, signer, isLive, canRenew } = await readSignerLink(system, clerk, asked)
  if (!canRenew || signer.state !== 'pending') return null
  const replaces = isLive && link ? link.id : null
  const { code } = await renewSigningLink(system, clerk, { ...asked, replaces })
  return signingLinkAddress(system.settings.publicOrigin, code)
}

/** The session that waits for them, of all that the demo began with. */
async function findAsked(system: System, clerk: ReturnType<typeof actorFor>) {
  for (const { deed, signers } of SAMPLE_SESSIONS) {
    if (!signers.some((signer) => 'rfc' in signer && signer.rfc === GUEST.rfc)) continue
    const document = await findSample(system, clerk, deed.title)
    const [session] = document ? await listSessionsOf(system.db, document.id, 1) : []
    const ceremony = session && (await findCeremony(system.db, session.id))
    const signer = ceremony?.signers.find(({ rfc }) => rfc === GUEST.rfc)
    if (ceremony && signer) return { signingSessionId: ceremony.session.id, signerId: signer.id }
  }
  return undefined
}
