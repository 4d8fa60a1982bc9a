import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type KyselyPlugin,
  PostgresQueryCompiler,
  type QueryId,
  type RootOperationNode,
  SqliteQueryCompiler,
} from 'kysely'
import pg from 'pg'
import type { Database, DialectName } from '#server/db/database.ts'

/** The statements that `work` executes through the database that it gets. */
export async function statementsOf(
  database: Database,
  work: (db: Database) => Promise<unknown>,
): Promise<CompiledQuery[]> {
  const executed: CompiledQuery[] = []
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
  await work({
    ...database,
    selectFrom: selectFrom as Database['selectFrom'],
    transaction: (inner) => database.transaction((trx) => inner(trx.withPlugin(recorder))),
  })
  return executed
}

/** Explains statements on a database of its own connection. */
export type Planner = {
  /** How the statement reads more of these tables than an index bounds; empty if it does not. */
  faultsIn(statement: CompiledQuery, tables: readonly string[]): Promise<string[]>
  end(): Promise<void>
}

/** @param url as in `DATABASE_URL` */
export async function openPlanner(dialect: DialectName, url: string): Promise<Planner> {
  return dialect === 'sqlite' ? sqlitePlanner(url) : await postgresPlanner(url)
}

/** @see https://www.sqlite.org/eqp.html */
type Step = { id: number; parent: number; detail: string }

function sqlitePlanner(file: string): Planner {
  const rows = new Sqlite(file, { readonly: true })
  return {
    async faultsIn({ sql, parameters }, tables) {
      const names = new Set([...tables, ...aliasesIn(sql, tables)])
      const steps = rows.prepare(`explain query plan ${sql}`).all(...parameters) as Step[]
      return steps
        .filter((step) => isScan(step, names) || isSort(step, steps, names))
        .map(({ detail }) => detail)
    },
    async end() {
      rows.close()
    },
  }
}

const aliasesIn = (sql: string, tables: readonly string[]) =>
  [...sql.matchAll(/"(\w+)" as "(\w+)"/g)].flatMap(([, table = '', alias = '']) =>
    tables.includes(table) ? [alias] : [],
  )

const isScan = ({ detail }: Step, names: ReadonlySet<string>) =>
  names.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '')

/** Sorts rows of a table; rows of a subquery are few, because the subquery has a limit. */
const isSort = ({ parent, detail }: Step, steps: readonly Step[], names: ReadonlySet<string>) =>
  detail.startsWith('USE TEMP B-TREE') &&
  steps.some(
    (step) =>
      step.parent === parent &&
      (step.detail.startsWith('MULTI-INDEX OR') ||
        names.has(/^(?:SCAN|SEARCH) (\w+)/.exec(step.detail)?.[1] ?? '')),
  )

/** More rows than any page or step of a job reads, and a quarter of what the tests fill in. */
const MOST_READ = 5000

/** @see https://www.postgresql.org/docs/current/using-explain.html */
type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

async function postgresPlanner(url: string): Promise<Planner> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  return {
    async faultsIn({ sql, parameters }, tables) {
      // To explain with counts executes the statement.
      await client.query('begin')
      const { rows } = await client.query(`explain (analyze, format json) ${sql}`, [...parameters])
      await client.query('rollback')
      const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
      const scans = nodesOf(plan).filter(
        (node) =>
          node['Node Type'] !== 'ModifyTable' && tables.includes(node['Relation Name'] ?? ''),
      )
      const read = scans.reduce((sum, node) => sum + rowsReadBy(node), 0)
      return [
        ...scans.map((node) => node['Node Type']).filter((type) => type === 'Seq Scan'),
        ...(read > MOST_READ ? [`${read} rows read`] : []),
      ]
    },
    end: () => client.end(),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsReadBy = (node: PlanNode) =>
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
