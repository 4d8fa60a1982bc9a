import { countResolvedAlerts } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'
import { before, days, type Instant } from '#server/domain/time.ts'

/** How long a condition that lasts is silent after a person resolved its alert. */
const REST = days(1)

/**
 * The occasion of a lasting matter until its alert is resolved; another one afterwards.
 *
 * @param matter one of `matters`
 */
export const occasionOfMatter = async (trx: Transaction, matter: string): Promise<string> =>
  `${matter}${await countResolvedAlerts(trx, matter)}`

/**
 * The same for a condition that a job looks at again and again: a person who resolves its alert has a day to change it, in
 * which this is the occasion of the resolved alert, so that none is raised.
 *
 * @param matter one of `matters`
 */
export const occasionOfCondition = async (
  trx: Transaction,
  matter: string,
  at: Instant,
): Promise<string> =>
  `${matter}${await countResolvedAlerts(trx, matter, { byPeopleUntil: before(at, REST) })}`
