import { inChunks } from '#server/db/in-chunks.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { isCorrectable, isOneLetterOff, partsOf } from '#server/domain/documents/search/similar.ts'
import type { OfficeId } from '#server/domain/ids.ts'

/* The words of the documents of an office, so that a search with a wrong letter finds what was meant. */

/** Adds the words that are new. Words stay when the last document that has them is changed. */
export async function addSearchWords(
  trx: Transaction,
  officeId: OfficeId,
  words: Iterable<string>,
): Promise<void> {
  const wanted = [...new Set(words)].filter(isCorrectable)
  const known = await inChunks(wanted, (chunk) =>
    trx
      .selectFrom('search_words')
      .select('word')
      .where('office_id', '=', officeId)
      .where('word', 'in', chunk)
      .execute(),
  )
  const seen = new Set(known.map(({ word }) => word))
  // In one order: two transactions that add the same words wait for each other, and never in a circle.
  const added = wanted.filter((word) => !seen.has(word)).toSorted()
  for (const word of added) await addWord(trx, officeId, word)
}

async function addWord(trx: Transaction, officeId: OfficeId, word: string): Promise<void> {
  const row = { office_id: officeId, word }
  await trx
    .insertInto('search_words')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  await trx
    .insertInto('search_word_parts')
    .values(partsOf(word).map((part) => ({ ...row, part })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Words of the office that differ from this one by one letter. */
export async function findSimilarWords(
  db: Reader,
  officeId: OfficeId,
  word: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('search_word_parts')
    .select('word')
    .distinct()
    .where('office_id', '=', officeId)
    .where('part', 'in', partsOf(word))
    .limit(MOST_CANDIDATES)
    .execute()
  return rows.flatMap((row) => (isOneLetterOff(word, row.word) ? [row.word] : [])).toSorted()
}

const MOST_CANDIDATES = 500
