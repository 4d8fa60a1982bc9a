import { areTextsDue, takeTextsDue } from '#server/db/documents/document-texts.ts'
import { writeTexts } from '#server/steps/documents/write-texts.ts'
import type { System } from '#server/system.ts'

/** Each takes about a millisecond, and on SQLite nothing else runs meanwhile. */
const AT_ONCE = 20

/**
 * Writes the texts of documents that are due: their signers changed, or an earlier release stored them. If we crash, what was
 * not written is still due.
 *
 * @param stopping ends the run after the current documents
 */
export async function indexDocuments(
  { db }: Pick<System, 'db'>,
  stopping?: AbortSignal,
): Promise<void> {
  // Reads first: most runs find nothing, and need not write.
  if (!(await areTextsDue(db, { moreThan: 0 }))) return
  for (let taken = AT_ONCE; taken > 0 && !stopping?.aborted; ) {
    taken = await db.transaction(async (trx) => {
      const ids = await takeTextsDue(trx, AT_ONCE)
      await writeTexts(trx, ids)
      return ids.length
    })
    await turn()
  }
}

/** Lets requests run between two transactions of SQLite. */
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))
