import { lockUntilCommit } from '#server/db/lock.ts'
import type { Reader, Transaction } from '#server/db/transaction.ts'
import { ArcoTerms } from '#server/domain/care/arco-request.ts'
import { type OfficeId, UserId } from '#server/domain/ids.ts'
import type { Instant } from '#server/domain/time.ts'

/** Terms that an administrator set; versions count from 1. */
export type SetArcoTerms = { version: number; terms: ArcoTerms; at: Instant; by: UserId }

/** Newest first. */
export async function listArcoTerms(
  db: Reader,
  officeId: OfficeId,
  limit: number,
): Promise<SetArcoTerms[]> {
  const rows = await db
    .selectFrom('arco_terms')
    .selectAll()
    .where('office_id', '=', officeId)
    .orderBy('version', 'desc')
    .limit(limit)
    .execute()
  return rows.map((row) => ({
    ...{ version: row.version, at: row.at, by: UserId.parse(row.by_user) },
    terms: ArcoTerms.parse({
      ...{ answerDays: row.answer_days, effectDays: row.effect_days },
      ...{ source: row.source, sourceDay: row.source_day },
    }),
  }))
}

/** Of two concurrent writers, the later one gets the higher version. */
export async function insertArcoTerms(
  trx: Transaction,
  officeId: OfficeId,
  { terms, at, by }: Omit<SetArcoTerms, 'version'>,
): Promise<void> {
  await lockUntilCommit(trx, `arco-terms:${officeId}`)
  const [newest] = await listArcoTerms(trx, officeId, 1)
  const { answerDays, effectDays, source, sourceDay } = terms
  await trx
    .insertInto('arco_terms')
    .values({
      ...{ office_id: officeId, version: (newest?.version ?? 0) + 1, at, by_user: by },
      ...{ answer_days: answerDays, effect_days: effectDays, source, source_day: sourceDay },
    })
    .execute()
}
