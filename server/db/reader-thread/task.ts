/** A query for the thread. */
export type ReadTask = { sql: string; parameters: readonly unknown[] }

/**
 * `took` in milliseconds, without the wait for a processor. The first message of the thread is `ready`, with the record of its
 * waits.
 */
export type ReadAnswer =
  | { kind: 'ready'; record: string | undefined }
  | { kind: 'rows'; rows: unknown[]; took: number }
  | { kind: 'failed'; message: string }
