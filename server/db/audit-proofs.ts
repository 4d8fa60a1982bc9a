import { type InclusionProof, provenHead } from '#server/domain/audit/inclusion-proof.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import { inclusionSpans } from '#server/domain/audit/merkle-tree.ts'
import type { VerifierKey } from '#server/domain/audit/signed-note.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { findNewestCheckpoint, type SignedCheckpoint } from './audit-checkpoints.ts'
import type { StoredLeaf } from './audit-events.ts'
import { rootOfSpan } from './audit-tree.ts'
import type { Reader } from './transaction.ts'

export type ProvenLeaves = {
  /** Undefined before the first one. */
  checkpoint: SignedCheckpoint | undefined
  /** Of the events that the checkpoint counts, in their order. */
  proofs: InclusionProof[]
}

/**
 * That these events stand in the tree that was signed last. Undefined when one that it counts does not stand there: a
 * proof that does not hold is given to nobody.
 */
export async function proveLeaves(
  db: Reader,
  leaves: readonly StoredLeaf[],
  verifier: VerifierKey,
): Promise<ProvenLeaves | undefined> {
  const checkpoint = await findNewestCheckpoint(db)
  const proofs: InclusionProof[] = []
  if (!checkpoint) return { checkpoint, proofs }
  for (const leaf of leaves.filter(({ seq }) => seq < checkpoint.size)) {
    const proof = await proveLeaf(db, leaf, checkpoint)
    if (!proof || !provenHead(proof, [verifier])) return undefined
    proofs.push(proof)
  }
  return { checkpoint, proofs }
}

async function proveLeaf(
  db: Reader,
  { seq, canonical }: StoredLeaf,
  { size, note }: SignedCheckpoint,
): Promise<InclusionProof | undefined> {
  try {
    const path: Sha256[] = []
    for (const span of inclusionSpans(seq, size)) path.push(await rootOfSpan(db, span))
    return { index: seq, leaf: leafHash(canonical), path, note }
  } catch (error) {
    if (error instanceof LogMismatch) return undefined
    throw error
  }
}
