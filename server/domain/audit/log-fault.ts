/** The first thing about a log that is not as it must be. Events count from 0. */
export type LogFault =
  /** The event is not what its leaf says. */
  | { kind: 'changed'; seq: number }
  /** No event has this number, and later ones are there. */
  | { kind: 'missing'; seq: number }
  /** The event does not stand at its place, but behind later ones. */
  | { kind: 'moved'; seq: number }
  /** An event with a number that is there already stands at this place. */
  | { kind: 'added'; seq: number }
  /** An event from `from` up to, not including, `to` was changed; it is not known which one. */
  | { kind: 'rewritten'; from: number; to: number }
  /** A checkpoint counts `size` events, and there are fewer. */
  | { kind: 'cut'; events: number; size: number }
  /** The database does not have this checkpoint, which is kept outside of it. */
  | { kind: 'rolled-back'; size: number }
  /** Two checkpoints count so many events and have different roots. */
  | { kind: 'forked'; size: number }
  /** A checkpoint was not signed by the key of the log. */
  | { kind: 'forged'; size: number }
  /** The line of the file is not what may stand in an export. */
  | { kind: 'unreadable'; line: number }

/** Nothing may be signed over this log. */
export class LogMismatch extends Error {
  override readonly name = 'LogMismatch'
  readonly fault: LogFault

  constructor(fault: LogFault) {
    super(`the log does not hold: ${JSON.stringify(fault)}`)
    this.fault = fault
  }
}
