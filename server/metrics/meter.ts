import type { Duration } from '#server/domain/time.ts'

export type AnsweredRequest = {
  method: string
  /** The pattern of the route, `/dashboard/documents/:id`; undefined for a file, and for what no route answers. */
  route: string | undefined
  status: number
  took: Duration
}

/** Measures what a process does. A process that publishes no metrics has none. */
export type Meter = {
  answered(request: AnsweredRequest): void
  /** A request was refused because its turn came too late. */
  shed(): void
  /** A recurring job ended. */
  ran(job: string, took: Duration, outcome: 'done' | 'failed'): void
  /** Work on a file was asked for: `verify`, `prepareSignature`. */
  began(task: string): void
  /** It ended. */
  worked(task: string, took: Duration): void
  /** A query ended. @param what `select documents` */
  queried(what: string, took: Duration): void
}

/** What is looked up when the metrics are read. */
export type MeasuredState = {
  /** Of the audit log, in this process. */
  waitingEvents: number
  /** Undefined while the database does not answer. */
  figures: Figures | undefined
}

/** What is counted in the database when the metrics are read. */
export type Figures = {
  /** Age of the mail that is due longest. */
  outboxAge: Duration
  /** Events that no checkpoint covers yet. */
  unsignedEvents: number
}

export type PublishedMeter = Meter & {
  /**
   * All metrics as text.
   *
   * @see https://prometheus.io/docs/instrumenting/exposition_formats/
   */
  read(state: MeasuredState): Promise<{ contentType: string; text: string }>
}
