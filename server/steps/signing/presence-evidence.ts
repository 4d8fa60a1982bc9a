import { listVersions } from '#server/db/documents/document-versions.ts'
import { listPresenceOf } from '#server/db/presence/presence-proofs.ts'
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

/** The proofs of presence for a document, of those who signed it or were about to, as they leave the system. */
export async function presenceEvidenceOf(
  db: Reader,
  documentId: DocumentId,
): Promise<PresenceFile> {
  return presenceFile((await listPresenceOf(db, documentId)).map(evidenceOf))
}

/** A signature, made or about to be. */
export type PresenceQuestion = {
  /** Null for a guest. */
  userId: UserId | null
  /** The version that was signed; of several who sign at once, some may have seen an earlier one. */
  version: number
  /** When the signature was prepared, which is the time that it states. */
  at: Instant
}

/** The proof of presence behind each of these signatures of a document, in their order; undefined where there is none. */
export async function listPresenceBehind(
  db: Reader,
  documentId: DocumentId,
  questions: readonly PresenceQuestion[],
): Promise<(PresenceProof | undefined)[]> {
  const isAsked = questions.some(({ userId }) => userId !== null)
  const proofs = isAsked ? await listPresenceOf(db, documentId) : []
  const versions = proofs.length > 0 ? await listVersions(db, documentId) : []
  return questions.map(({ userId, version, at }) => {
    const contents = versions.filter((one) => one.version <= version)
    return userId === null ? undefined : presenceBehind(proofs, userId, contents, at)
  })
}

/** What the log says of a signature about the presence of its signer. */
export async function presenceFactsOf(
  db: Reader,
  { documentId, ...question }: PresenceQuestion & { documentId: DocumentId },
): Promise<PresenceFacts> {
  if (question.userId === null) return { presence: 'efirma', presenceProof: null }
  const [proof] = await listPresenceBehind(db, documentId, [question])
  return { presence: proof?.means.method ?? 'not-asked', presenceProof: proof?.id ?? null }
}
