import type { CurrentDocument } from '#server/db/documents/current-documents.ts'
import { listHeldFactors } from '#server/db/factors/second-factors.ts'
import { findOffice } from '#server/db/people/offices.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import type { DocumentId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { authorizeParties } from '#server/steps/signing/authorize-party.ts'
import { findPresence } from '#server/steps/signing/find-presence.ts'
import { listSignables } from '#server/steps/signing/find-signable.ts'
import type { System } from '#server/system.ts'

/** The page on which a signer proves their presence. */
export type PresenceView = {
  office: Office
  /** In their current versions, in the requested order. */
  documents: CurrentDocument[]
  /** Whether the office requires a proof and no valid one covers all of these documents. */
  isNeeded: boolean
  /** The usable methods, strongest first. */
  methods: ('WEBAUTHN' | 'TOTP')[]
}

/** @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer` */
export async function readPresence(
  { db, clock }: System,
  actor: Actor,
  input: { documentIds: readonly DocumentId[] },
): Promise<PresenceView> {
  const now = clock.now()
  const { userId, officeId } = mustBeSignedIn(actor)
  const documents = await listSignables(db, [...new Set(input.documentIds)])
  await authorizeParties(db, actor, documents, now)
  const office = await findOffice(db, officeId)
  if (!office) throw new Error(`no office ${officeId}`)
  const shown = documents.map(({ version }) => version)
  const held = await listHeldFactors(db, userId)
  return {
    office,
    documents,
    isNeeded: (await findPresence(db, office, { userId }, shown, now)) === undefined,
    methods: held.methods.filter((method) => method !== 'BACKUP_CODE'),
  }
}
