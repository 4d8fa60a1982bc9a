import Sqlite from 'better-sqlite3'
import type { CompiledQuery } from 'kysely'
import pg from 'pg'
import type { DialectName } from '#server/db/database.ts'
import type { RecordedStatement } from '#tests/support/recorded-database.ts'

/** Explains statements on a database of its own connection. */
export type Planner = {
  /** How the statement reads more of these tables than an index bounds; empty if it does not. */
  faultsIn(statement: RecordedStatement, tables: readonly string[]): Promise<string[]>
  /** The plan, a step a line. */
  stepsOf(statement: RecordedStatement): Promise<string[]>
  end(): Promise<void>
}

/** For PostgreSQL: small tables are in memory, as the indexes of large ones are. */
const IN_MEMORY = 1.1

/** What PostgreSQL assumes unless told: what it finds by an index comes from a disk. */
export const ON_DISK = 4

/**
 * @param url as in `DATABASE_URL`
 * @param randomPage what PostgreSQL takes a page at random to cost, against the next one
 */
export async function openPlanner(
  dialect: DialectName,
  url: string,
  randomPage = IN_MEMORY,
): Promise<Planner> {
  return dialect === 'sqlite' ? sqlitePlanner(url) : await postgresPlanner(url, randomPage)
}

/** @see https://www.sqlite.org/eqp.html */
type Step = { id: number; parent: number; detail: string }

function sqlitePlanner(file: string): Planner {
  const rows = new Sqlite(file, { readonly: true })
  const explain = ({ sql, parameters }: CompiledQuery) =>
    rows.prepare(`explain query plan ${sql}`).all(...parameters) as Step[]
  return {
    async faultsIn(statement, tables) {
      const names = new Set([...tables, ...aliasesIn(statement.sql, tables)])
      const steps = explain(statement)
      return steps
        .filter(
          (step) =>
            (isScan(step, names) && !isOneEnd(statement)) ||
            isSort(step, steps, names) ||
            (!hasLimit(statement) && isUnbounded(step, names)),
        )
        .map(({ detail }) => detail)
    },
    stepsOf: async (statement) => explain(statement).map(({ detail }) => detail),
    async end() {
      rows.close()
    },
  }
}

const aliasesIn = (sql: string, tables: readonly string[]) =>
  [...sql.matchAll(/\b(\w+)"? as "?(\w+)\b/g)].flatMap(([, table = '', alias = '']) =>
    tables.includes(table) ? [alias] : [],
  )

const isScan = ({ detail }: Step, names: ReadonlySet<string>) =>
  names.has(/^SCAN (\w+)/.exec(detail)?.[1] ?? '')

/** The first or last rows of a table, in the order of its key: another order is a sort. */
const isOneEnd = ({ sql }: CompiledQuery) => / limit \?$/.test(sql) && !/ where /.test(sql)

/** Columns that have the same value in any number of rows of an office. */
const COMMON = [
  'action',
  'actor',
  'created_by',
  'edition',
  'kind',
  'office_id',
  'provider_id',
  'state',
  'status',
  'tokens_deleted_at',
  'user_id',
]

/**
 * Sorts rows of a table that no more than common columns select. Few are those of one document or session, those that
 * still hold, those of a subquery, because it has a limit, and those of the same time.
 */
const isSort = ({ parent, detail }: Step, steps: readonly Step[], names: ReadonlySet<string>) =>
  detail.startsWith('USE TEMP B-TREE') &&
  !detail.includes('LAST TERM') &&
  steps.some(
    (step) =>
      step.parent === parent &&
      (step.detail.startsWith('MULTI-INDEX OR') || isOfManyRows(step, names)),
  )

/** One end of an index is one row. */
const hasLimit = ({ sql }: CompiledQuery) => / limit \?|select max\(\S+\) as/.test(sql)

/** Reads all rows that common columns select. */
const isUnbounded = (step: Step, names: ReadonlySet<string>) =>
  isOfManyRows(step, names) && !/[<>]\?/.test(step.detail)

function isOfManyRows({ detail }: Step, names: ReadonlySet<string>): boolean {
  if (!names.has(/^(?:SCAN|SEARCH) (\w+)/.exec(detail)?.[1] ?? '')) return false
  if (detail.includes('expires_at>?')) return false
  const equal = [...detail.matchAll(/(\w+)=\?/g)].map(([, column = '']) => column)
  return equal.every((column) => COMMON.includes(column))
}

/** More rows than any page or step of a job reads, and a quarter of what the tests fill in. */
const MOST_READ = 5000

/** As many rows as a job deletes at once: PostgreSQL finds those that are due by a scan if most are. */
const FEW = 500

/** @see https://www.postgresql.org/docs/current/using-explain.html */
type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows'?: number
  'Actual Loops'?: number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

async function postgresPlanner(url: string, randomPage: number): Promise<Planner> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('analyze')
  await client.query(`set random_page_cost = ${randomPage}`)
  async function explain({ sql, parameters, isApart }: RecordedStatement): Promise<PlanNode[]> {
    // To explain with counts executes the statement; a row cannot be inserted again.
    const counting = /^insert/i.test(sql) ? '' : 'analyze, '
    await client.query('begin')
    // As such a reader does.
    if (isApart) await client.query('set local enable_seqscan = off')
    const { rows } = await client.query(`explain (${counting}format json) ${sql}`, [...parameters])
    await client.query('rollback')
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: PlanNode }]
    return nodesOf(plan)
  }
  return {
    async faultsIn(statement, tables) {
      const scans = (await explain(statement)).filter(
        (node) =>
          node['Node Type'] !== 'ModifyTable' && tables.includes(node['Relation Name'] ?? ''),
      )
      const read = scans.reduce((sum, node) => sum + rowsReadBy(node), 0)
      return [
        ...scans
          .filter((node) => node['Node Type'] === 'Seq Scan' && rowsReadBy(node) > FEW)
          .map((node) => `Seq Scan on ${node['Relation Name']}`),
        // A clock ends what is read apart, and none wait for it but its own page.
        ...(read > MOST_READ && !statement.isApart ? [`${read} rows read`] : []),
      ]
    },
    stepsOf: async (statement) =>
      (await explain(statement)).map((node) =>
        [node['Node Type'], node['Relation Name'], node['Index Name']].join(' '),
      ),
    end: () => client.end(),
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const rowsReadBy = (node: PlanNode) =>
  ((node['Actual Rows'] ?? 0) + (node['Rows Removed by Filter'] ?? 0)) * (node['Actual Loops'] ?? 0)
