import { sql } from 'kysely'
import { leaveNumbers } from '#server/db/documents/numbers/number-entries.ts'
import { inChunks } from '#server/db/in-chunks.ts'
import { lockDocuments } from '#server/db/lock.ts'
import type { Transaction } from '#server/db/transaction.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { leavesNumber } from '#server/domain/documents/document-state.ts'

/** A document as it was seen, and what becomes of it; the rest of it stays. */
export type DocumentChange = {
  seen: Document
  next: Pick<Document, 'state' | 'stateSince' | 'stateBy' | 'version'>
}

/**
 * Compare-and-swap on version and state of each document, in one statement for all that change alike.
 *
 * @returns false if one is no longer as it was seen; then the transaction must be rolled back, because others are
 *   changed
 */
export async function replaceDocuments(
  trx: Transaction,
  changes: readonly DocumentChange[],
): Promise<boolean> {
  // Two transactions that share documents would deadlock if each changed its own first.
  await lockDocuments(
    trx,
    changes.map(({ seen }) => seen.id),
  )
  const kinds = Map.groupBy(changes, ({ seen, next }) =>
    JSON.stringify([next.state, next.stateSince, next.stateBy, next.version - seen.version]),
  )
  for (const alike of kinds.values()) {
    const replaced = await inChunks(alike, (chunk) => replaceAlike(trx, chunk))
    if (replaced.length < alike.length) return false
    const [first] = alike
    if (first && leavesNumber(first.next.state))
      await leaveNumbers(
        trx,
        alike.map(({ seen }) => seen.id),
        { at: first.next.stateSince, by: first.next.stateBy },
      )
  }
  return true
}

async function replaceAlike(trx: Transaction, alike: readonly DocumentChange[]) {
  const [first] = alike
  if (!first) return []
  const { seen, next } = first
  return await trx
    .updateTable('documents')
    .set((eb) => ({
      state: next.state,
      state_since: next.stateSince,
      state_by: next.stateBy,
      version: eb('version', '+', next.version - seen.version),
    }))
    .where(
      'id',
      'in',
      alike.map((one) => one.seen.id),
    )
    // PostgreSQL takes untyped parameters for text, hence the cast.
    .where(
      sql<boolean>`(id, version, state) in (values ${sql.join(
        alike.map(
          (one) => sql`(${one.seen.id}, cast(${one.seen.version} as integer), ${one.seen.state})`,
        ),
      )})`,
    )
    .returning('id')
    .execute()
}
