/** A query for the thread. */
export type ReadTask = { sql: string; parameters: readonly unknown[] }

/** `took` in milliseconds. The first message of the thread is `ready`. */
export type ReadAnswer =
  | { kind: 'ready' }
  | { kind: 'rows'; rows: unknown[]; took: number }
  | { kind: 'failed'; message: string }
