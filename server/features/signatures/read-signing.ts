import { z } from 'zod'
import { findLease } from '#server/db/documents/prepared-signatures.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { findUser } from '#server/db/people/users.ts'
import { findSigner } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { isTransition } from '#server/domain/documents/document-state.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { Office } from '#server/domain/identity/office.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { DocumentId } from '#server/domain/ids.ts'
import type { SheetFacts } from '#server/domain/signing/increment.ts'
import { sheetFor } from '#server/domain/signing/plan-signature.ts'
import type { HeldDocument } from '#server/domain/signing/session/ceremony.ts'
import { isOpenAt } from '#server/domain/signing/session/signing-session.ts'
import type { StampForecast } from '#server/domain/signing/stamp/stamp-outlook.ts'
import type { Instant } from '#server/domain/time.ts'
import { findOutstanding, type Outstanding } from '#server/steps/judgements/find-judgements.ts'
import {
  authorizeReading,
  identityOf,
  isSameIdentity,
  type SigningIdentity,
  type SigningParty,
} from '#server/steps/signing/authorize-party.ts'
import { findPresence } from '#server/steps/signing/find-presence.ts'
import { findSignable } from '#server/steps/signing/find-signable.ts'
import { foreseeStamp } from '#server/steps/signing/foresee-stamp.ts'
import type { System } from '#server/system.ts'
import { documentKinds } from '#server/words/documents.ts'

export const ReadSigning = z.object({ documentId: DocumentId })
export type ReadSigning = z.infer<typeof ReadSigning>

/** The data of the signing page. */
export type SigningView = {
  document: Document
  version: DocumentVersion
  /** Whether the uploaded file had signatures. */
  arrivedSigned: boolean
  office: Office
  party: SigningParty
  /** The session that holds the document; undefined for a direct signature. */
  held: HeldDocument | undefined
  /** The sheet that the signature will append; undefined if it appends none. */
  sheet: SheetFacts | undefined
  /** Where the signature will be visible, or why it will not; undefined if it has a slot of the sheet. */
  stamp: StampForecast | undefined
  /** True if the document accepts no more signatures. */
  isClosed: boolean
  /** True if the actor signed the document, which is complete. */
  hasSigned: boolean
  /** True if the deadline of the session passed; it can be extended. */
  isOverdue: boolean
  /** Name of another person who is signing at this moment. */
  busyWith: string | undefined
  /** What was found in the file as it arrived, and what the signer must state about it before signing. */
  outstanding: Outstanding
  /** Whether the signer must first accept the aviso de privacidad: an external signer, who may read before. */
  needsConsent: boolean
  /** Whether the signer must first prove their presence. */
  needsPresence: boolean
  now: Instant
}

/**
 * Everything about a document before signing. Logs the view.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `not-a-signer`
 */
export async function readSigning(
  system: System,
  actor: Actor,
  input: ReadSigning,
): Promise<SigningView> {
  const { db, eventQueue, clock, settings } = system
  const now = clock.now()
  const signable = await findSignable(db, input)
  const { document, version, office, held } = signable
  const subject = { kind: 'document', id: document.id } as const
  const party = await authorizeReading(db, actor, signable, now)
  const lease = await findLease(db, document.id, now)
  const isClosed = !isTransition(document.state, 'signed')
  const isOthers = lease !== undefined && !isSameIdentity(lease, identityOf(party))
  await eventQueue.append({
    actor,
    at: now,
    action: 'document.viewed',
    subject,
    details: { version: version.version },
  })
  return {
    document,
    version,
    arrivedSigned: signable.arrivedSigned,
    office,
    party,
    held,
    sheet: sheetFor({
      ...settings,
      document,
      kindName: documentKinds[document.kind],
      version,
      office,
    }),
    stamp: isClosed ? undefined : await foreseeStamp(system, signable),
    isClosed,
    hasSigned: await hasSigned(db, document, party),
    isOverdue: held !== undefined && !isOpenAt(held.session, now),
    needsConsent: actor.kind === 'guest' && actor.consentedAt === null,
    needsPresence: (await findPresence(db, office, party, [version], now)) === undefined,
    outstanding: await outstandingFor(system, document, party),
    busyWith: isOthers ? await nameOfIdentity(db, lease) : undefined,
    now,
  }
}

async function outstandingFor(system: System, { id, officeId }: Document, party: SigningParty) {
  const found = (await findOutstanding(system, officeId, [id], identityOf(party))).get(id)
  return found ?? { judgement: undefined, statements: [] }
}

async function hasSigned(db: Reader, { id, state }: Document, { userId }: SigningParty) {
  if (state !== 'signed' || userId === null) return false
  return (await listSignatures(db, id)).some((signature) => signature.userId === userId)
}

async function nameOfIdentity(db: Reader, { userId, signerId }: SigningIdentity): Promise<string> {
  const user = userId && (await findUser(db, userId))
  if (user) return fullName(user)
  const signer = signerId && (await findSigner(db, signerId))
  if (!signer) throw new Error('a lease without a signer')
  return signer.name
}
