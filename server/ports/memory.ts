/** A cache that a caller shares with all requests of this process. */
export type CacheOf<T> = {
  /** Unique in the program. */
  readonly name: string
  /** Most values that it holds; the least recently used one goes first. */
  readonly capacity: number
  /** Carries the type of the values; never set. */
  readonly value?: T
}

export type Cache<T> = {
  /** Marks the value as used. */
  find(key: string): T | undefined
  /** Returns `value`. */
  keep(key: string, value: T): T
  forget(key: string): void
}

/** A line in which tasks wait for one of a few places. */
export type TurnsOf = {
  /** Unique in the program. */
  readonly name: string
  /** Most tasks that run at a time. */
  readonly places: number
  /** Most tasks that wait; one more is refused. No limit when absent. */
  readonly waiting?: number
  /** Most tasks of one owner, running and waiting; one more is refused. No limit when absent. */
  readonly ofOneOwner?: number
  /** Most patient tasks that wait; one more is refused. 16 when absent. */
  readonly patientWaiting?: number
}

export type Turns = {
  /**
   * Runs the task when its turn comes: first come, first served.
   *
   * @throws {Problem} `too-many-attempts` when a limit of the line is reached
   */
  inTurn<T>(task: () => Promise<T>, options?: TurnOptions): Promise<T>
  /** Whether a patient task would be refused now. */
  isCrowded(): boolean
}

export type TurnOptions = {
  /** A patient task comes after all others and leaves one place free for them. */
  isPatient?: boolean
  /** Counted against `ofOneOwner`. */
  owner?: string
}

/**
 * What this process remembers between calls. It is lost with the process and another process has its own:
 * it may save work and spread load, but no verdict and no acknowledgement may depend on it.
 */
export type Memory = {
  /** The same cache for the same name. */
  cache<T>(cache: CacheOf<T>): Cache<T>
  /** The same line for the same name. */
  turns(turns: TurnsOf): Turns
}
