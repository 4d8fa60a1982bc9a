import { findCurrentDocuments } from '#server/db/documents/current-documents.ts'
import { findCeremonies } from '#server/db/signing-sessions/ceremonies.ts'
import { listSessionsAwaiting } from '#server/db/signing-sessions/signers.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId, UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type Ceremony, signedByOn } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { isOpenAt, type SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { type Turn, turnOf } from '#server/domain/signing/session/turns.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A document that this user must sign, now or after others. */
export type WaitingDocument = {
  session: SigningSession
  signer: Signer
  document: Document
  version: DocumentVersion
  turn: Extract<Turn, 'now' | 'waiting'>
}

const MOST_SESSIONS = 200
/** Later documents appear as these are signed. */
const MOST_DOCUMENTS = 1000

/**
 * Every document that waits for the actor, oldest session first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listMyTurns(system: System, actor: Actor): Promise<WaitingDocument[]> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const now = clock.now()
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.read', own, now)
  const ids = await listSessionsAwaiting(db, person.officeId, person.userId, MOST_SESSIONS)
  const ceremonies = await findCeremonies(db, ids)
  const turns = ids.flatMap((id) => {
    const ceremony = ceremonies.get(id)
    return ceremony && isOpenAt(ceremony.session, now) ? turnsIn(ceremony, person.userId) : []
  })
  const shown = turns.slice(0, MOST_DOCUMENTS)
  const documents = await findCurrentDocuments(
    db,
    shown.map(({ documentId }) => documentId),
  )
  return shown.flatMap(({ documentId, ...turn }) => {
    const current = documents.get(documentId)
    return current ? [{ ...turn, ...current }] : []
  })
}

type TurnOnDocument = Pick<WaitingDocument, 'session' | 'signer' | 'turn'> & {
  documentId: DocumentId
}

/** The unsigned documents of the session, each with the signer that the user acts as. */
function turnsIn(ceremony: Ceremony, userId: UserId): TurnOnDocument[] {
  const { session, signers, documents } = ceremony
  const own = signers.filter((signer) => signer.userId === userId && signer.state === 'pending')
  return documents.flatMap(({ id: documentId }) => {
    const signed = signedByOn(ceremony, documentId)
    const turns = own.map((signer) => ({ signer, turn: turnOf(signer, signers, signed) }))
    const next = turns.find(({ turn }) => turn === 'now') ?? turns.find(isWaiting)
    if (next?.turn !== 'now' && next?.turn !== 'waiting') return []
    return [{ session, signer: next.signer, turn: next.turn, documentId }]
  })
}

const isWaiting = ({ turn }: { turn: Turn }) => turn === 'waiting'
