import { listLeaves } from '#server/db/audit-events.ts'
import { proveLeaves } from '#server/db/audit-proofs.ts'
import type { InclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import type { TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { Document } from '#server/domain/documents/document.ts'
import type { System } from '#server/system.ts'

/** How it stands with the events that tell of the signatures of a document. */
export type SigningInLog =
  /** All of them stand in the tree that was signed. */
  | { kind: 'proven'; events: number[]; head: TreeHead; proofs: InclusionProof[] }
  /** The next checkpoint will count them. */
  | { kind: 'waiting'; events: number[] }
  /** They are not what was signed, or not there. */
  | { kind: 'unproven' }

export async function signingInLog(
  { db, settings }: System,
  { id, officeId }: Document,
): Promise<SigningInLog> {
  const leaves = await listLeaves(db, { officeId, subjectId: id }, { only: ['document.signed'] })
  const events = leaves.map(({ seq }) => seq)
  if (events.length === 0) return { kind: 'unproven' }
  const proven = await proveLeaves(db, leaves, settings.logKey.verifier)
  if (!proven) return { kind: 'unproven' }
  const { signed, proofs } = proven
  if (!signed || proofs.length < events.length) return { kind: 'waiting', events }
  return { kind: 'proven', events, head: signed.head, proofs }
}
