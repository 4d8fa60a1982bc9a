import {
  type CompiledQuery,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from '#server/db/database.ts'
import { milliseconds, seconds } from '#server/domain/time.ts'

/** A statement as it was executed; `isApart` by {@link Database.readApart}. */
export type RecordedStatement = CompiledQuery & { isApart?: true }

export type RecordedDatabase = {
  db: Database
  /** The statements that were executed since the last call, but beginnings and ends of transactions. */
  take(): RecordedStatement[]
}

/** The same database, with the statements that are executed through it. */
export function recorded(database: Database): RecordedDatabase {
  const executed: RecordedStatement[] = []
  const compiler =
    database.dialect === 'sqlite' ? new SqliteQueryCompiler() : new PostgresQueryCompiler()
  // A query within a query is transformed too, and never executed.
  const nodes = new WeakMap<QueryId, RootOperationNode>()
  const recorder: KyselyPlugin = {
    transformQuery({ queryId, node }) {
      nodes.set(queryId, node)
      return node
    },
    async transformResult({ queryId, result }) {
      const node = nodes.get(queryId)
      if (node) executed.push(compiler.compileQuery(node, queryId))
      return result
    },
  }
  const selectFrom = (...args: Parameters<Database['selectFrom']>) =>
    database.selectFrom(...args).withPlugin(recorder)
  return {
    db: {
      ...database,
      selectFrom: selectFrom as Database['selectFrom'],
      async readApart(query) {
        executed.push({ ...query, isApart: true })
        // As on a machine that does nothing else: a search ends, or reads shorter stretches, where reads take long.
        const read = await database.readApart(query, seconds(60))
        return read && { ...read, took: milliseconds(0) }
      },
      transaction: (work) => database.transaction((trx) => work(trx.withPlugin(recorder))),
    },
    take: () => executed.splice(0),
  }
}
