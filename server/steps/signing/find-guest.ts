import { findOffice } from '#server/db/people/offices.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Actor, Guest } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { mustBeGuest } from '#server/domain/policy/authorize.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'

/** A guest with the session of their link. */
export type InvitedGuest = { guest: Guest; ceremony: Ceremony; signer: Signer; office: Office }

/** @throws {Problem} `signing-link-over` for an actor without a link */
export async function findGuest(db: Reader, actor: Actor): Promise<InvitedGuest> {
  const guest = mustBeGuest(actor)
  const ceremony = await findCeremony(db, guest.signingSessionId)
  const signer = ceremony?.signers.find(({ id }) => id === guest.signerId)
  const office = await findOffice(db, guest.officeId)
  if (!ceremony || !signer || !office) throw new Error(`${guest.linkId} leads to nothing`)
  return { guest, ceremony, signer, office }
}
