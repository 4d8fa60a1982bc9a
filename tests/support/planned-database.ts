import Sqlite from 'better-sqlite3'
import { type CompiledQuery, type KyselyPlugin, SqliteQueryCompiler } from 'kysely'
import type { Database } from '#server/db/database.ts'

export type PlannedDatabase = {
  db: Database
  /** The steps of the plans of all statements since the last call. */
  take(): string[]
  close(): void
}

/**
 * The same SQLite database, with the plan of each statement that is executed through it.
 *
 * @param file the file of the database
 * @see https://www.sqlite.org/eqp.html
 */
export function planned(database: Database, file: string): PlannedDatabase {
  const statements: CompiledQuery[] = []
  const recorder: KyselyPlugin = {
    transformQuery({ node, queryId }) {
      statements.push(new SqliteQueryCompiler().compileQuery(node, queryId))
      return node
    },
    transformResult: async ({ result }) => result,
  }
  const selectFrom = (...args: Parameters<Database['selectFrom']>) =>
    database.selectFrom(...args).withPlugin(recorder)
  const explaining = new Sqlite(file, { readonly: true })
  return {
    db: {
      ...database,
      selectFrom: selectFrom as Database['selectFrom'],
      transaction: (work) => database.transaction((trx) => work(trx.withPlugin(recorder))),
    },
    take: () => statements.splice(0).flatMap((statement) => planOf(explaining, statement)),
    close: () => explaining.close(),
  }
}

function planOf(file: Sqlite.Database, { sql, parameters }: CompiledQuery): string[] {
  const steps = file.prepare(`explain query plan ${sql}`).all(...parameters)
  return (steps as { detail: string }[]).map(({ detail }) => detail)
}
