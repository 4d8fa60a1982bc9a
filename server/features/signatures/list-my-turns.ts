import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { findCeremony } from '#server/db/signing-sessions/ceremonies.ts'
import { listSessionsAwaiting } from '#server/db/signing-sessions/signers.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { UserId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import { type Ceremony, signedByOn } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { isOpenAt, type SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { type Turn, turnOf } from '#server/domain/signing/session/turns.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A document that waits for the signature of this person, now or after others. */
export type WaitingDocument = {
  session: SigningSession
  signer: Signer
  document: Document
  version: DocumentVersion
  turn: Extract<Turn, 'now' | 'waiting'>
}

const MOST_SESSIONS = 200
/** What is behind them comes into sight as they are signed. */
const MOST_DOCUMENTS = 1000

/**
 * Every document that waits for the actor, the oldest session first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listMyTurns(system: System, actor: Actor): Promise<WaitingDocument[]> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const now = clock.now()
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.read', own, now)
  const ids = await listSessionsAwaiting(db, person.officeId, person.userId, MOST_SESSIONS)
  const waiting: WaitingDocument[] = []
  for (const id of ids) {
    if (waiting.length >= MOST_DOCUMENTS) break
    const ceremony = await findCeremony(db, id)
    if (ceremony && isOpenAt(ceremony.session, now))
      waiting.push(...(await waitingIn(db, ceremony, person.userId)))
  }
  return waiting
}

async function waitingIn(
  db: Reader,
  ceremony: Ceremony,
  userId: UserId,
): Promise<WaitingDocument[]> {
  const { session, signers } = ceremony
  const own = signers.filter((signer) => signer.userId === userId && signer.state === 'pending')
  const waiting: WaitingDocument[] = []
  for (const { id } of ceremony.documents) {
    const signed = signedByOn(ceremony, id)
    const turns = own.map((signer) => ({ signer, turn: turnOf(signer, signers, signed) }))
    const next = turns.find(({ turn }) => turn === 'now') ?? turns.find(isWaiting)
    if (!next || (next.turn !== 'now' && next.turn !== 'waiting')) continue
    const document = await findDocument(db, id)
    const version = document && (await findVersion(db, id, document.version))
    if (document && version)
      waiting.push({ session, signer: next.signer, turn: next.turn, document, version })
  }
  return waiting
}

const isWaiting = ({ turn }: { turn: Turn }) => turn === 'waiting'
