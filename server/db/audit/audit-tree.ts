import { sql } from 'kysely'
import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { type LogNumber, positionOf } from '#server/domain/audit/log.ts'
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
 * Sizes of the full subtrees whose roots are stored: the root over a million events then reads some hundred
 * rows.
 */
const KEPT = [256 ** 3, 256 ** 2, 256]
const LEAF = 1

/**
 * The root over a span of the events of a log that starts at a multiple of a power of two and is not longer than it.
 *
 * @throws {LogMismatch} `missing` if part of it does not exist; `changed` or `rewritten` if a leaf or a stored
 *   root is not a hash
 */
export async function rootOfSpan(
  db: Reader,
  log: LogNumber,
  span: Span,
  kept = KEPT,
): Promise<Sha256> {
  const [root] = await rootsOfSpans(db, log, [span], { kept })
  if (root === undefined) throw new Error('one span, one root')
  return root
}

/**
 * The roots of several spans, in their order.
 *
 * @param turn is awaited between two spans; must await nothing inside of a transaction
 * @throws {LogMismatch} as `rootOfSpan` for any of them
 */
export async function rootsOfSpans(
  db: Reader,
  log: LogNumber,
  spans: readonly Span[],
  { kept = KEPT, turn }: { kept?: readonly number[]; turn?: () => Promise<void> } = {},
): Promise<Sha256[]> {
  const trees = spans.map(() => EMPTY_TREE)
  for (const leaves of [...kept, LEAF]) {
    const wanted = spans.map((span, index) => positionsIn(span, trees[index]?.size ?? 0, leaves))
    const roots = await findRoots(db, log, leaves, wanted)
    for (const [index, { start, end }] of wanted.entries()) {
      await turn?.()
      for (let position = start; position < end; position += 1) {
        const root = roots.get(position)
        // Stop at the first missing root: smaller subtrees cover the rest.
        if (root === undefined) break
        trees[index] = grow(trees[index] ?? EMPTY_TREE, mustBeHash(root, leaves, position), leaves)
      }
    }
  }
  return spans.map(({ start, end }, index) => {
    const tree = trees[index] ?? EMPTY_TREE
    if (start + tree.size < end) throw new LogMismatch({ kind: 'missing', seq: start + tree.size })
    return rootOf(tree)
  })
}

/**
 * The positions of subtrees of `leaves` leaves in the rest of the span after its first `known` leaves; may be
 * empty.
 */
function positionsIn({ start, end }: Span, known: number, leaves: number): Span {
  const first = (start + known) / leaves
  const behind = Math.floor(end / leaves)
  return Number.isInteger(first) && behind > first
    ? { start: first, end: behind }
    : { start: 0, end: 0 }
}

/** The stored roots of subtrees of `leaves` leaves, by their place in the log, unverified. */
async function findRoots(
  db: Reader,
  log: LogNumber,
  leaves: number,
  positions: readonly Span[],
): Promise<Map<number, string>> {
  const first = positionOf(log, 0) / leaves
  const wanted = positions
    .filter(({ start, end }) => start < end)
    .map(({ start, end }) => ({ start: first + start, end: first + end }))
  // Paths of one document's leaves share most of their nodes.
  const distinct = new Map(wanted.map((span) => [`${span.start} ${span.end}`, span])).values()
  const rows = await inChunks(distinct, (chunk) =>
    leaves === LEAF
      ? db
          .selectFrom(positionsOf(chunk))
          .innerJoin('audit_events', 'audit_events.seq', 'wanted.position')
          .select(['audit_events.seq as position', 'audit_events.leaf_hash as root'])
          .execute()
      : db
          .selectFrom(positionsOf(chunk))
          .innerJoin('audit_subtrees', 'audit_subtrees.position', 'wanted.position')
          .where('audit_subtrees.leaves', '=', leaves)
          .select(['audit_subtrees.position', 'audit_subtrees.root'])
          .execute(),
  )
  return new Map(rows.map(({ position, root }) => [position - first, root]))
}

/*
 * The positions of the spans as rows, each of which is looked up: for a range in a join PostgreSQL expects a ninth of the
 * log and reads all of it. It takes untyped parameters for text, hence the casts.
 */
const positionsOf = (spans: readonly Span[]) =>
  sql<{ position: number }>`(
    with recursive span (position, behind) as (
      select column1, column2 from (values ${sql.join(
        spans.map(({ start, end }) => sql`(cast(${start} as bigint), cast(${end} as bigint))`),
      )}) as given
      union all
      select position + 1, behind from span where position + 1 < behind
    )
    select position from span)`.as('wanted')

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
 * Stores the roots of the subtrees completed by the events `start` … `end` of the log.
 *
 * @throws {LogMismatch} `rewritten` if one is stored already: these events existed before
 */
export async function insertSubtrees(
  trx: Transaction,
  log: LogNumber,
  { start, end }: Span,
): Promise<void> {
  for (const leaves of KEPT.toReversed()) {
    const smaller = KEPT.filter((one) => one < leaves)
    for (let at = Math.floor(start / leaves); at < Math.floor(end / leaves); at++) {
      const span = { start: at * leaves, end: (at + 1) * leaves }
      const root = await rootOfSpan(trx, log, span, smaller)
      const inserted = await trx
        .insertInto('audit_subtrees')
        .values({ leaves, position: positionOf(log, 0) / leaves + at, root })
        .onConflict((conflict) => conflict.doNothing())
        .returning('position')
        .executeTakeFirst()
      if (!inserted) throw new LogMismatch({ kind: 'rewritten', from: span.start, to: span.end })
    }
  }
}

/** Whether the stored log proves that the second tree extends the first. */
export async function isGrownFrom(
  db: Reader,
  log: LogNumber,
  first: TreeHead,
  second: TreeHead,
): Promise<boolean> {
  const path = await rootsOfSpans(db, log, consistencySpans(first.size, second.size))
  return isConsistent(first, second, path)
}
