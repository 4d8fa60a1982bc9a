import { findCurrentDocuments } from '#server/db/documents/current-documents.ts'
import { findSigners } from '#server/db/signing-sessions/signers.ts'
import { findSigningSessions } from '#server/db/signing-sessions/signing-sessions.ts'
import { type AwaitedTurn, listTurns, type TurnCursor } from '#server/db/signing-sessions/turns.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { DocumentVersion } from '#server/domain/documents/document-version.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import type { DocumentId, SigningSessionId } from '#server/domain/ids.ts'
import { mustBeSignedIn } from '#server/domain/policy/authorize.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { authorizeOrRecord } from '#server/steps/policy/authorize-or-record.ts'
import type { System } from '#server/system.ts'

/** A document that this user must sign, now or after others. */
export type WaitingDocument = {
  session: SigningSession
  signer: Signer
  document: Document
  version: DocumentVersion
  turn: AwaitedTurn['turn']
}

export type ListMyTurns = {
  /** Only those that the actor can sign now. */
  turn?: 'now' | undefined
  signingSessionId?: SigningSessionId | undefined
  /** Only these documents. */
  documentIds?: readonly DocumentId[] | undefined
  /** Only those after this one; with `turn`. */
  behind?: TurnCursor | undefined
  limit: number
  /** How far they are counted: `MOST_TURNS` if absent, and raised to `limit` if lower. */
  most?: number
}

export type MyTurns = {
  documents: WaitingDocument[]
  /** How many there are, as far as they were counted. */
  count: number
  /** How many of these the actor can sign now. */
  ready: number
  /** The last one of `documents` if there may be more behind it; with `turn`. */
  next: TurnCursor | undefined
}

/** A page that counts a thousand takes twice as long, and tells a person no more. */
export const MOST_TURNS = 100

/**
 * The documents that wait for the actor: first those that they can sign now, in each group oldest session first.
 *
 * @throws {Problem} `not-signed-in`, `forbidden`
 */
export async function listMyTurns(
  system: System,
  actor: Actor,
  { turn, signingSessionId, documentIds, behind, limit, most = MOST_TURNS }: ListMyTurns,
): Promise<MyTurns> {
  const { db, clock } = system
  const own = mustBeSignedIn(actor)
  const now = clock.now()
  const person = await authorizeOrRecord(db, actor, 'signing-sessions.read', own, now)
  const { officeId, userId } = person
  const upTo = Math.max(limit, most)
  const filter = { officeId, userId, signingSessionId, documentIds, behind, now, limit: upTo }
  const found = await listTurns(db, { ...filter, turn: 'now' })
  const ready = firstOfDocuments(found)
  // A document that waits for others asks nothing of the reader yet: it comes last.
  const rest = { ...filter, turn: 'waiting', limit: upTo - ready.length } as const
  const waiting = turn === 'now' ? [] : await listTurns(db, rest)
  const turns = firstOfDocuments([...ready, ...waiting]).slice(0, upTo)
  const shown = turns.slice(0, limit)
  const isWhole = turn !== 'now' || (found.length < upTo && turns.length <= limit)
  return {
    documents: await withRows(db, shown),
    ...{ count: turns.length, ready: ready.length },
    next: isWhole ? undefined : shown.at(-1)?.cursor,
  }
}

/** Earlier releases admitted a user twice in a session: one who can sign now as either does not wait. */
function firstOfDocuments(turns: readonly AwaitedTurn[]): AwaitedTurn[] {
  const seen = new Set<DocumentId>()
  return turns.filter(({ documentId }) => !seen.has(documentId) && seen.add(documentId))
}

async function withRows(db: Reader, turns: readonly AwaitedTurn[]): Promise<WaitingDocument[]> {
  const sessions = await findSigningSessions(db, new Set(turns.map((one) => one.signingSessionId)))
  const signers = await findSigners(db, new Set(turns.map((one) => one.signerId)))
  const documents = await findCurrentDocuments(
    db,
    turns.map(({ documentId }) => documentId),
  )
  return turns.flatMap(({ signingSessionId, signerId, documentId, turn }) => {
    const [session, signer] = [sessions.get(signingSessionId), signers.get(signerId)]
    const current = documents.get(documentId)
    return session && signer && current ? [{ session, signer, turn, ...current }] : []
  })
}
