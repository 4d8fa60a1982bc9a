import type { KyselyPlugin } from 'kysely'
import type { Database } from '#server/db/database.ts'

export type CountedDatabase = {
  db: Database
  /** How many statements were executed since the last call; beginnings and ends of transactions are not counted. */
  take(): number
}

/** The same database, with a count of the statements that are executed through it. */
export function counted(database: Database): CountedDatabase {
  let executed = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      executed += 1
      return result
    },
  }
  const selectFrom = (...args: Parameters<Database['selectFrom']>) =>
    database.selectFrom(...args).withPlugin(counter)
  return {
    db: {
      ...database,
      selectFrom: selectFrom as Database['selectFrom'],
      transaction: (work) => database.transaction((trx) => work(trx.withPlugin(counter))),
    },
    take() {
      const count = executed
      executed = 0
      return count
    },
  }
}
