/** SQLite binds 32,766 values to a statement, PostgreSQL 65,535; the largest use binds two for each item. */
const MOST_AT_ONCE = 1024

/**
 * Runs a query over a set of values of any size, 1,024 per statement, without duplicates. Rows come in the
 * order of the chunks, so sorting in the query sorts within a chunk only.
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

/* Pads to a power of two, so that a database compiles ten statements instead of one per length. */
function padded<Value>(values: readonly Value[]): readonly Value[] {
  const length = 2 ** Math.ceil(Math.log2(values.length))
  return [...values, ...new Array<Value>(length - values.length).fill(values[0]!)]
}
