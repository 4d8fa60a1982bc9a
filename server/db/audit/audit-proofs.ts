import type { Reader } from '#server/db/transaction.ts'
import { openCheckpoint } from '#server/domain/audit/checkpoint.ts'
import type { InclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import { inclusionSpans, isIncluded, type TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { VerifierKey } from '#server/domain/audit/signed-note.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { findNewestCheckpoint } from './audit-checkpoints.ts'
import type { StoredLeaf } from './audit-events.ts'
import { rootOfSpan } from './audit-tree.ts'

export type ProvenLeaves = {
  /** What was signed last, and the note that says so; undefined before the first one. */
  signed: { head: TreeHead; note: string } | undefined
  /** Of the events that it counts, in their order. */
  proofs: InclusionProof[]
}

/**
 * That these events, as they lie there, stand in the tree that was signed last. Undefined when one that it counts does
 * not stand there, and when nobody signed it: a proof that does not hold is given to nobody.
 */
export async function proveLeaves(
  db: Reader,
  leaves: readonly StoredLeaf[],
  verifier: VerifierKey,
): Promise<ProvenLeaves | undefined> {
  const newest = await findNewestCheckpoint(db)
  if (!newest) return { signed: undefined, proofs: [] }
  const { note } = newest
  const head = openCheckpoint(note, [verifier])
  if (!head) return undefined
  const proofs: InclusionProof[] = []
  for (const { seq: index, canonical } of leaves.filter(({ seq }) => seq < head.size)) {
    const leaf = leafHash(canonical)
    const path = await pathTo(db, index, head)
    if (!path || !isIncluded({ index, leaf }, head, path)) return undefined
    proofs.push({ index, leaf, path, note })
  }
  return { signed: { head, note }, proofs }
}

async function pathTo(
  db: Reader,
  index: number,
  { size }: TreeHead,
): Promise<Sha256[] | undefined> {
  try {
    const path: Sha256[] = []
    for (const span of inclusionSpans(index, size)) path.push(await rootOfSpan(db, span))
    return path
  } catch (error) {
    if (error instanceof LogMismatch) return undefined
    throw error
  }
}
