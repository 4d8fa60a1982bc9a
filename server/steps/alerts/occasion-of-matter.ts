import { countResolvedAlerts } from '#server/db/alerts/alerts.ts'
import type { Transaction } from '#server/db/transaction.ts'

/**
 * The occasion of a lasting matter until its alert is resolved; another one afterwards.
 *
 * @param matter one of `matters`
 */
export const occasionOfMatter = async (trx: Transaction, matter: string): Promise<string> =>
  `${matter}${await countResolvedAlerts(trx, matter)}`
