import type { LogEvent, RootOperationNode } from 'kysely'

/** `select documents`: the kind of a query and the first table that it names; never a value. */
export function nameOfQuery({ query }: Pick<LogEvent, 'query'>): string {
  const { kind } = query.query
  const verb = /^(Select|Insert|Update|Delete)/.exec(kind)?.[1]?.toLowerCase() ?? 'other'
  const table = firstTable(query.query)
  return table ? `${verb} ${table}` : verb
}

/** Nodes are trees of plain objects; a table is an identifier in a `TableNode`. */
function firstTable(node: RootOperationNode): string | undefined {
  const waiting: unknown[] = [placeOf(node)]
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    if (typeof next !== 'object' || next === null) continue
    if ('kind' in next && next.kind === 'SchemableIdentifierNode')
      return (next as { identifier?: { name?: string } }).identifier?.name
    waiting.push(...Object.values(next))
  }
  return undefined
}

/** Where the table of a query stands. */
function placeOf(node: RootOperationNode): unknown {
  switch (node.kind) {
    case 'SelectQueryNode':
    case 'DeleteQueryNode':
      return node.from
    case 'InsertQueryNode':
      return node.into
    case 'UpdateQueryNode':
      return node.table
    default:
      return undefined
  }
}
