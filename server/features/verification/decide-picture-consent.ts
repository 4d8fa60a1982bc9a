import { randomUUID } from 'node:crypto'
import { appendEvent } from '#server/db/audit/audit-events.ts'
import { insertConsentRecord } from '#server/db/care/consents.ts'
import type { Database } from '#server/db/database.ts'
import { findDocument, replacePublicPictures } from '#server/db/documents/documents.ts'
import {
  listPictureConsents,
  replacePictureConsent,
} from '#server/db/documents/picture-consents.ts'
import { lockLeases } from '#server/db/documents/prepared-signatures.ts'
import { listSignatures } from '#server/db/documents/signatures.ts'
import { findHoldings } from '#server/db/signing-sessions/ceremonies.ts'
import type { ConsentRecord } from '#server/domain/care/consent.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { type PictureConsent, partyKeyOf } from '#server/domain/documents/public-pictures.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { fullName } from '#server/domain/identity/person-name.ts'
import { ConsentId, type DocumentId } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import type { Instant } from '#server/domain/time.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import { findGuestDocument } from '#server/steps/signing/find-guest-document.ts'
import type { System } from '#server/system.ts'
import { forgetVerification } from './read-verification.ts'

type DecidePictureConsent = Pick<PictureConsent, 'documentId' | 'state'>

/**
 * Records whether a signer of a document consents to pictures of its pages on the public page. Withdrawing hides them at
 * once. The same decision again changes nothing.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`, `not-found`, `consent-needed`; `not-a-signer` for other users
 */
export async function decidePictureConsent(
  system: System,
  actor: Actor,
  { documentId, state }: DecidePictureConsent,
): Promise<void> {
  const { db, clock } = system
  const at = clock.now()
  const { document: found, party } = await findParty(db, actor, documentId, at)
  const subject = { kind: 'document', id: documentId } as const
  await db.transaction(async (trx) => {
    await lockLeases(trx, documentId)
    if (!(await replacePictureConsent(trx, { documentId, ...party, state, since: at }))) return
    const kind = state === 'given' ? 'pictures-given' : 'pictures-withdrawn'
    await insertConsentRecord(trx, {
      ...{ id: ConsentId.parse(randomUUID()), officeId: found.officeId, kind, documentId },
      ...{ ...party, ...identityOf(actor), notice: null, at },
    })
    const action =
      state === 'given' ? 'document.pictures-consented' : 'document.pictures-consent-withdrawn'
    await appendEvent(trx, { actor, at, action, subject, details: { signer: party.signerId } })
    const document = (await findDocument(trx, documentId)) ?? found
    if (state === 'given' || document.publicPictures.state === 'off') return
    await replacePublicPictures(trx, document, { state: 'off', since: at, by: null })
    await appendEvent(trx, {
      actor,
      at,
      action: 'document.pictures-changed',
      subject,
      details: { publicPictures: 'off', reason: 'consent-withdrawn' },
    })
  })
  forgetVerification(system, documentId)
}

/**
 * What a signer decided before, for the form; null for others, and for documents whose pages are never shown.
 *
 * @throws {Problem} see `decidePictureConsent`
 */
export async function readPictureConsent(
  { db, clock }: System,
  actor: Actor,
  documentId: DocumentId,
): Promise<'given' | 'not-given' | null> {
  const document = await findDocument(db, documentId)
  if (!document || document.publicLookup.state === 'off') return null
  const party = await partyOf(db, actor, document, clock.now())
  if (!party) return null
  const own = (await listPictureConsents(db, documentId)).find(
    (consent) => partyKeyOf(consent) === partyKeyOf(party),
  )
  return own?.state === 'given' ? 'given' : 'not-given'
}

type Party = Pick<PictureConsent, 'userId' | 'signerId'>

/** Name and RFC as of now. */
function identityOf(actor: Actor): Pick<ConsentRecord, 'name' | 'rfc' | 'signingSessionId'> {
  if (actor.kind === 'anonymous') throw new Problem('not-signed-in', 'a stranger consents')
  const { rfc } = actor
  return actor.kind === 'guest'
    ? { name: actor.name, rfc, signingSessionId: actor.signingSessionId }
    : { name: fullName(actor), rfc, signingSessionId: null }
}

async function findParty(db: Database, actor: Actor, documentId: DocumentId, at: Instant) {
  const document = await findDocument(db, documentId)
  if (!document) throw new Problem('not-found', `no document ${documentId}`)
  if (actor.kind === 'guest' && actor.consentedAt === null)
    throw new Problem('consent-needed', `${actor.signerId} has not accepted the aviso`)
  if (actor.kind !== 'guest') {
    const subject = { kind: 'document', id: documentId } as const
    await authorizeOrRecord(db, actor, 'document.sign-in-session', document, at, subject)
  }
  const party = await partyOf(db, actor, document, at)
  if (!party) throw new Problem('not-a-signer', `of ${documentId}`)
  return { document, party }
}

/** Undefined for a user who neither signed the document nor is asked to. */
async function partyOf(
  db: Database,
  actor: Actor,
  { id }: Document,
  at: Instant,
): Promise<Party | undefined> {
  if (actor.kind === 'guest') {
    await findGuestDocument(db, actor, id, at)
    return { userId: null, signerId: actor.signerId }
  }
  if (actor.kind !== 'person') return undefined
  const { userId } = actor
  const isOwn = (one: { userId: typeof userId | null }) => one.userId === userId
  const asked = (await findHoldings(db, [id])).get(id)?.signers.some(isOwn)
  if (asked || (await listSignatures(db, id)).some(isOwn)) return { userId, signerId: null }
  return undefined
}
