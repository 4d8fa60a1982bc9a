/** SQLite binds 32,766 values to a statement, PostgreSQL 65,535; the largest use binds two for each item. */
const MOST_AT_ONCE = 1024

/**
 * The rows of a query over a set of values of any size, in one statement for each 1,024 of them. Each value is asked
 * for once; rows come back in the order of the chunks, so a query that sorts sorts within a chunk only.
 */
export async function inChunks<Value, Row>(
  values: Iterable<Value>,
  query: (chunk: readonly Value[]) => Promise<readonly Row[]>,
): Promise<Row[]> {
  const distinct = [...new Set(values)]
  const chunks: (readonly Row[])[] = []
  for (let start = 0; start < distinct.length; start += MOST_AT_ONCE)
    chunks.push(await query(padded(distinct.slice(start, start + MOST_AT_ONCE))))
  return chunks.flat()
}

/* To a power of two: a database compiles ten statements of this query, not one for each length. */
function padded<Value>(values: readonly Value[]): readonly Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...new Array<Value>(length - values.length).fill(values[0]!)]
}
