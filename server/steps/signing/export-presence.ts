import { listVersions } from '#server/db/documents/document-versions.ts'
import { listPresenceOf } from '#server/db/presence/presence-proofs.ts'
import type { Reader } from '#server/db/transaction.ts'
import type { DocumentId, UserId } from '#server/domain/ids.ts'
import {
  exportOf,
  type PresenceFile,
  presenceFile,
} from '#server/domain/signing/exported-presence.ts'
import {
  type PresenceFacts,
  type PresenceProof,
  presenceBehind,
} from '#server/domain/signing/presence.ts'
import type { Instant } from '#server/domain/time.ts'

/**
 * The exported proofs of presence for a document, from its signers and from users about to sign.
 *
 * @param until leaves out later proofs
 */
export async function exportPresence(
  db: Reader,
  documentId: DocumentId,
  until?: Instant,
): Promise<PresenceFile> {
  const proofs = await listPresenceOf(db, documentId)
  return presenceFile(proofs.filter(({ at }) => until === undefined || at <= until).map(exportOf))
}

/** A signature, made or prepared. */
export type PresenceQuestion = {
  /** Null for a guest. */
  userId: UserId | null
  /** The signed version; a concurrent signer may have seen an earlier one. */
  version: number
  /** When the signature was prepared: the time that it claims. */
  at: Instant
}

/** The proof of presence for each signature of a document, in their order; undefined where there is none. */
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

/** The facts about the signer's presence for the signature's event. */
export async function presenceFactsOf(
  db: Reader,
  { documentId, ...question }: PresenceQuestion & { documentId: DocumentId },
): Promise<PresenceFacts> {
  if (question.userId === null) return { presence: 'efirma', presenceProof: null }
  const [proof] = await listPresenceBehind(db, documentId, [question])
  return { presence: proof?.means.method ?? 'not-asked', presenceProof: proof?.id ?? null }
}
