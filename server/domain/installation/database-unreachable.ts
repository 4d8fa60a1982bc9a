/**
 * The database does not answer. No refusal of a use case: what treats a `Problem` as an answer about a document must not take this
 * for one.
 */
export class DatabaseUnreachable extends Error {
  /** Of the error that says so: Node's or PostgreSQL's, if it has one. */
  readonly code: string

  constructor(cause: Error) {
    super(`the database does not answer: ${cause.message}`, { cause })
    this.name = 'DatabaseUnreachable'
    this.code = 'code' in cause ? String(cause.code) : ''
  }
}
