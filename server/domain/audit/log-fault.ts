/** The first fault of a log. Events count from 0. */
export type LogFault =
  /** The event does not match its leaf hash. */
  | { kind: 'changed'; seq: number }
  /** The event is missing, and later ones exist. */
  | { kind: 'missing'; seq: number }
  /** The event is as it was signed, but the columns by which pages find it say something else. */
  | { kind: 'misfiled'; seq: number }
  /** The event comes after later ones. */
  | { kind: 'moved'; seq: number }
  /** An event whose number exists already was inserted here. */
  | { kind: 'added'; seq: number }
  /** The log was closed before this event. */
  | { kind: 'beyond-end'; seq: number }
  /** An event from `from` up to, not including, `to` was changed; it is not known which one. */
  | { kind: 'rewritten'; from: number; to: number }
  /** A checkpoint covers `size` events, but there are fewer. */
  | { kind: 'cut'; events: number; size: number }
  /** The database lacks this checkpoint of the file outside it. */
  | { kind: 'rolled-back'; size: number }
  /** Two checkpoints over the same number of events have different roots. */
  | { kind: 'forked'; size: number }
  /** A checkpoint was not signed by the key of the log. */
  | { kind: 'forged'; size: number }
  /** The line does not belong to an export. */
  | { kind: 'unreadable'; line: number }

/** The log has a fault: no checkpoint may be signed over it. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch'
  readonly fault: LogFault

  constructor(fault: LogFault) {
    super(`the log does not hold: ${JSON.stringify(fault)}`)
    this.fault = fault
  }
}
