import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId, SignerId, SigningSessionId } from '#server/domain/ids.ts'
import type { Ceremony, HeldDocument } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SignedBy } from '#server/domain/signing/session/turns.ts'
import { findHoldingSessions, listSessionDocuments } from './session-documents.ts'
import { listSignersOf } from './signers.ts'
import { findSigningSessions } from './signing-sessions.ts'

/** A session with its documents and signers. */
export async function findCeremony(
  db: Reader,
  id: SigningSessionId,
): Promise<Ceremony | undefined> {
  return (await findCeremonies(db, [id])).get(id)
}

/** The existing sessions by id, with their documents and signers. */
async function findCeremonies(
  db: Reader,
  ids: readonly SigningSessionId[],
): Promise<Map<SigningSessionId, Ceremony>> {
  const sessions = await findSigningSessions(db, ids)
  const found = [...sessions.keys()]
  const documents = await listSessionDocuments(db, found)
  const signers = await listSignersOf(db, found)
  const signedBy = await listSignedBy(db, found)
  const ceremonies = found.map(
    (id): Ceremony => ({
      session: sessions.get(id)!,
      documents: documents.get(id) ?? [],
      signers: signers.get(id) ?? [],
      signedBy: signedBy.get(id) ?? new Map(),
    }),
  )
  return new Map(ceremonies.map((ceremony) => [ceremony.session.id, ceremony]))
}

/** The session that holds the document, seen from the document. */
export async function findHolding(
  db: Reader,
  documentId: DocumentId,
): Promise<HeldDocument | undefined> {
  return (await findHoldings(db, [documentId])).get(documentId)
}

/** The same for several documents; documents that no session holds are absent. */
export async function findHoldings(
  db: Reader,
  documentIds: readonly DocumentId[],
): Promise<Map<DocumentId, HeldDocument>> {
  const holdings = await findHoldingSessions(db, documentIds)
  const signers = await listSignersOf(
    db,
    [...holdings.values()].map(({ session }) => session.id),
  )
  const signatures = await listSignersOn(db, [...holdings.keys()])
  const held = new Map<DocumentId, HeldDocument>()
  for (const [documentId, holding] of holdings) {
    const own = signers.get(holding.session.id) ?? []
    const signed = signatures.get(documentId) ?? new Set<SignerId>()
    const signedBy = new Set(own.map(({ id }) => id).filter((id) => signed.has(id)))
    held.set(documentId, { ...holding, signers: own, signedBy })
  }
  return held
}

/** Number of documents of the session that the signer has not signed. */
export async function countStillToSign(
  db: Reader,
  { id, signingSessionId }: Pick<Signer, 'id' | 'signingSessionId'>,
): Promise<number> {
  const { all, signed } = await db
    .selectFrom('session_documents')
    .select(({ fn, selectFrom }) => [
      fn.countAll<number>().as('all'),
      selectFrom('signatures')
        .select((eb) => eb.fn.count<number>('document_id').distinct().as('count'))
        .where('session_signer_id', '=', id)
        .as('signed'),
    ])
    .where('signing_session_id', '=', signingSessionId)
    .executeTakeFirstOrThrow()
  return Number(all) - Number(signed)
}

/** The signers of each document, by session and document. */
async function listSignedBy(
  db: Reader,
  ids: Iterable<SigningSessionId>,
): Promise<Map<SigningSessionId, ReadonlyMap<DocumentId, SignedBy>>> {
  const rows = await inChunks(ids, (chunk) =>
    db
      .selectFrom('signatures')
      .innerJoin('signers', 'signers.id', 'signatures.session_signer_id')
      .select(['signers.signing_session_id', 'signatures.document_id', 'signers.id as signer_id'])
      .where('signers.signing_session_id', 'in', chunk)
      .execute(),
  )
  const bySession = Map.groupBy(rows, (row) => row.signing_session_id as SigningSessionId)
  return new Map([...bySession].map(([id, own]) => [id, signersByDocument(own)]))
}

/** The signers, of any session, of each document. */
async function listSignersOn(
  db: Reader,
  documentIds: Iterable<DocumentId>,
): Promise<Map<DocumentId, SignedBy>> {
  const rows = await inChunks(documentIds, (chunk) =>
    db
      .selectFrom('signatures')
      .select(['document_id', 'session_signer_id as signer_id'])
      .where('document_id', 'in', chunk)
      .where('session_signer_id', 'is not', null)
      .$narrowType<{ signer_id: string }>()
      .execute(),
  )
  return signersByDocument(rows)
}

function signersByDocument(rows: readonly { document_id: string; signer_id: string }[]) {
  const byDocument = Map.groupBy(rows, (row) => row.document_id as DocumentId)
  return new Map<DocumentId, SignedBy>(
    [...byDocument].map(([id, own]) => [id, new Set(own.map((row) => row.signer_id as SignerId))]),
  )
}
