import type { Reader } from '#server/db/transaction.ts'
import { DocumentId, SignerId, type SigningSessionId } from '#server/domain/ids.ts'
import type { Ceremony, HeldDocument } from '#server/domain/signing/session/ceremony.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import type { SignedBy } from '#server/domain/signing/session/turns.ts'
import { listSigners, listSignersFor } from './signers.ts'
import { findHoldingSession, findSigningSession, listSessionDocuments } from './signing-sessions.ts'

/** A session with all that is in it. */
export async function findCeremony(
  db: Reader,
  id: SigningSessionId,
): Promise<Ceremony | undefined> {
  const session = await findSigningSession(db, id)
  if (!session) return undefined
  return {
    session,
    documents: await listSessionDocuments(db, id),
    signers: await listSigners(db, id),
    signedBy: await listSignedBy(db, id),
  }
}

/** The session that holds the document, as it stands for it. */
export async function findHolding(
  db: Reader,
  documentId: DocumentId,
): Promise<HeldDocument | undefined> {
  const held = await findHoldingSession(db, documentId)
  return held && { ...held, ...(await listSignersFor(db, held.session.id, documentId)) }
}

/** How many documents of their session the signer has not signed yet. */
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

async function listSignedBy(
  db: Reader,
  id: SigningSessionId,
): Promise<ReadonlyMap<DocumentId, SignedBy>> {
  const rows = await db
    .selectFrom('signatures')
    .innerJoin('signers', 'signers.id', 'signatures.session_signer_id')
    .select(['signatures.document_id', 'signers.id as signer_id'])
    .where('signers.signing_session_id', '=', id)
    .execute()
  const signedBy = new Map<DocumentId, Set<SignerId>>()
  for (const row of rows) {
    const documentId = DocumentId.parse(row.document_id)
    const signers = signedBy.get(documentId) ?? new Set()
    signedBy.set(documentId, signers.add(SignerId.parse(row.signer_id)))
  }
  return signedBy
}
