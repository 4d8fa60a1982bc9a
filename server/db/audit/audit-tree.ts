import type { Reader, Transaction } from '#server/db/transaction.ts'
import { LogMismatch } from '#server/domain/audit/log-fault.ts'
import {
  consistencySpans,
  EMPTY_TREE,
  grow,
  isConsistent,
  rootOf,
  type TreeHead,
} from '#server/domain/audit/merkle-tree.ts'
import type { Span } from '#server/domain/bytes.ts'
import { Sha256 } from '#server/domain/ids.ts'

/**
 * The roots of full subtrees of so many leaves are kept: to know a root over a million events takes some
 * hundred rows.
 */
const KEPT = [256 ** 3, 256 ** 2, 256]
const LEAF = 1

/**
 * The root of the tree over a stretch of the log that begins at a multiple of a power of two, and is not longer.
 *
 * @throws {LogMismatch} `missing` when not all of it is there; `changed` or `rewritten` when something that is no hash
 *   stands in the place of a leaf or of a kept root
 */
export async function rootOfSpan(db: Reader, span: Span, kept = KEPT): Promise<Sha256> {
  let tree = EMPTY_TREE
  for (const leaves of [...kept, LEAF]) {
    const from = (span.start + tree.size) / leaves
    const to = Math.floor(span.end / leaves)
    if (!Number.isInteger(from) || to <= from) continue
    for (const root of await listRoots(db, leaves, { start: from, end: to }))
      tree = grow(tree, root, leaves)
  }
  if (span.start + tree.size < span.end)
    throw new LogMismatch({ kind: 'missing', seq: span.start + tree.size })
  return rootOf(tree)
}

/** The roots of neighbouring subtrees of so many leaves, up to the first one that is missing. */
async function listRoots(db: Reader, leaves: number, { start, end }: Span): Promise<Sha256[]> {
  const rows =
    leaves === LEAF
      ? await db
          .selectFrom('audit_events')
          .select(['seq as position', 'leaf_hash as root'])
          .where('seq', '>=', start)
          .where('seq', '<', end)
          .orderBy('seq')
          .execute()
      : await db
          .selectFrom('audit_subtrees')
          .select(['position', 'root'])
          .where('leaves', '=', leaves)
          .where('position', '>=', start)
          .where('position', '<', end)
          .orderBy('position')
          .execute()
  const gap = rows.findIndex(({ position }, index) => position !== start + index)
  return rows
    .slice(0, gap === -1 ? rows.length : gap)
    .map(({ position, root }) => mustBeHash(root, leaves, position))
}

function mustBeHash(root: string, leaves: number, position: number): Sha256 {
  const hash = Sha256.safeParse(root)
  if (hash.success) return hash.data
  const start = position * leaves
  throw new LogMismatch(
    leaves === LEAF
      ? { kind: 'changed', seq: start }
      : { kind: 'rewritten', from: start, to: start + leaves },
  )
}

/**
 * Keeps the roots of the subtrees that became full with the events `start` … `end`.
 *
 * @throws {LogMismatch} `rewritten` when there is one already: these events were there before
 */
export async function insertSubtrees(trx: Transaction, { start, end }: Span): Promise<void> {
  for (const leaves of KEPT.toReversed()) {
    const smaller = KEPT.filter((one) => one < leaves)
    for (let at = Math.floor(start / leaves); at < Math.floor(end / leaves); at++) {
      const span = { start: at * leaves, end: (at + 1) * leaves }
      const root = await rootOfSpan(trx, span, smaller)
      const inserted = await trx
        .insertInto('audit_subtrees')
        .values({ leaves, position: at, root })
        .onConflict((conflict) => conflict.doNothing())
        .returning('position')
        .executeTakeFirst()
      if (!inserted) throw new LogMismatch({ kind: 'rewritten', from: span.start, to: span.end })
    }
  }
}

/** Whether the log as it stands in the database leads from one tree to the other. */
export async function isGrownFrom(db: Reader, first: TreeHead, second: TreeHead): Promise<boolean> {
  const path: Sha256[] = []
  for (const span of consistencySpans(first.size, second.size))
    path.push(await rootOfSpan(db, span))
  return isConsistent(first, second, path)
}
