import { listVersions } from '#server/db/documents/document-versions.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId, UserId } from '#server/domain/ids.ts'
import {
  type PresenceFacts,
  type PresenceProof,
  presenceBehind,
} from '#server/domain/signing/presence.ts'
import {
  evidenceOf,
  type PresenceFile,
  presenceFile,
} from '#server/domain/signing/presence-evidence.ts'
import type { Instant } from '#server/domain/time.ts'
import { listPresenceOf } from './presence-proofs.ts'

/** The proofs of presence of whoever signed a document, or was about to, as they leave the system. */
export async function presenceEvidenceOf(
  db: Reader,
  documentId: DocumentId,
): Promise<PresenceFile> {
  return presenceFile((await listPresenceOf(db, documentId)).map(evidenceOf))
}

/** A signature, made or about to be. */
export type PresenceQuestion = {
  documentId: DocumentId
  /** Null for a guest. */
  userId: UserId | null
  /** The version that was signed; who signs beside others may have seen an earlier one. */
  version: number
  /** When it was prepared, which is what the signature itself says. */
  at: Instant
}

/** The proof under which a signature was made; undefined where there is none. */
export async function findPresenceBehind(
  db: Reader,
  { documentId, userId, version, at }: PresenceQuestion,
): Promise<PresenceProof | undefined> {
  const proofs = userId ? await listPresenceOf(db, documentId) : []
  if (!userId || proofs.length === 0) return undefined
  const versions = await listVersions(db, documentId)
  const contents = versions.filter((one) => one.version <= version)
  return presenceBehind(proofs, userId, contents, at)
}

/** What the log says of a signature about the presence of its signer. */
export async function presenceFactsOf(
  db: Reader,
  question: PresenceQuestion,
): Promise<PresenceFacts> {
  if (question.userId === null) return { presence: 'efirma', presenceProof: null }
  const proof = await findPresenceBehind(db, question)
  return { presence: proof?.means.method ?? 'not-asked', presenceProof: proof?.id ?? null }
}
