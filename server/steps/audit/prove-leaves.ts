import { findNewestCheckpoint } from '#server/db/audit/audit-checkpoints.ts'
import type { StoredLeaf } from '#server/db/audit/audit-events.ts'
import { rootsOfSpans } from '#server/db/audit/audit-tree.ts'
import { findLog } from '#server/db/audit/logs.ts'
import type { Reader } from '#server/db/transaction.ts'
import { openCheckpoint } from '#server/domain/audit/checkpoint.ts'
import type { InclusionProof } from '#server/domain/audit/inclusion-proof.ts'
import { leafHash } from '#server/domain/audit/leaf-hash.ts'
import type { Log } from '#server/domain/audit/log.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import type { LogKeys } from '#server/domain/audit/log-keys.ts'
import { inclusionSpans, isIncluded, type TreeHead } from '#server/domain/audit/merkle-tree.ts'
import type { VerifierKey } from '#server/domain/audit/signed-note.ts'
import type { Sha256 } from '#server/domain/ids.ts'
import { turnTaker } from './turn-taker.ts'

/** The last signed tree of a log, and the note that signs it. */
export type SignedTree = { head: TreeHead; note: string; verifier: VerifierKey }

export type ProvenLeaves = {
  /** Of each log that has one of the events: its newest checkpoint; logs before the first one are absent. */
  signed: SignedTree[]
  /** The proofs of the covered events, in their order. */
  proofs: InclusionProof[]
}

/**
 * Proves that these stored events are in the last signed trees of their logs. Undefined if a covered event is not in the
 * tree or its signature is not valid: an invalid proof is never returned.
 *
 * @param leaves the events of one log before those of the next
 */
export async function proveLeaves(
  db: Reader,
  leaves: readonly StoredLeaf[],
  keys: LogKeys,
): Promise<ProvenLeaves | undefined> {
  const all: ProvenLeaves = { signed: [], proofs: [] }
  for (const [number, some] of Map.groupBy(leaves, ({ log }) => log)) {
    const log = await findLog(db, number)
    const proven = log && (await proveInLog(db, log, some, keys(log).verifier))
    if (!proven) return undefined
    all.signed.push(...proven.signed)
    all.proofs.push(...proven.proofs)
  }
  return all
}

async function proveInLog(
  db: Reader,
  log: Log,
  leaves: readonly StoredLeaf[],
  verifier: VerifierKey,
): Promise<ProvenLeaves | undefined> {
  const newest = await findNewestCheckpoint(db, log.number)
  if (!newest) return { signed: [], proofs: [] }
  const { note } = newest
  const head = openCheckpoint(note, [verifier])
  if (!head) return undefined
  const counted = leaves.filter(({ seq }) => seq < head.size)
  const proofs: InclusionProof[] = []
  const turn = turnTaker()
  for (let start = 0; start < counted.length; start += AT_ONCE) {
    const some = counted.slice(start, start + AT_ONCE)
    const paths = await findPaths(db, log, some, head, turn)
    for (const [place, { seq: index, canonical }] of some.entries()) {
      const path = paths?.[place]
      const leaf = leafHash(canonical)
      if (!path || !isIncluded({ index, leaf }, head, path)) return undefined
      proofs.push({ index, leaf, path, note })
    }
  }
  return { signed: [{ head, note, verifier }], proofs }
}

/** Each may read 255 leaves. */
const AT_ONCE = 256

/** The sibling hashes on the path of each leaf; undefined if the log is incomplete. */
async function findPaths(
  db: Reader,
  { number }: Log,
  leaves: readonly StoredLeaf[],
  { size }: TreeHead,
  turn: () => Promise<void>,
): Promise<Sha256[][] | undefined> {
  const spans = leaves.map(({ seq }) => inclusionSpans(seq, size))
  try {
    const roots = await rootsOfSpans(db, number, spans.flat(), { turn })
    let taken = 0
    return spans.map(({ length }) => {
      taken += length
      return roots.slice(taken - length, taken)
    })
  } catch (error) {
    if (error instanceof LogMismatch) return undefined
    throw error
  }
}
