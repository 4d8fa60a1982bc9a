/** A cache that a caller shares with all requests of this process. */
export type CacheOf<T> = {
  /** Unique in the program. */
  readonly name: string
  /** Maximum number of values; evicts the least recently used one. */
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

/** A value that the calls of this process share. */
export type SharedOf<T> = {
  /** Unique in the program. */
  readonly name: string
  make(): T
}

/** A queue for a limited number of concurrent tasks. */
export type QueueOf = {
  /** Unique in the program. */
  readonly name: string
  /** Maximum number of running tasks. */
  readonly places: number
  /** Maximum number of waiting tasks; more are refused. Unlimited if absent. */
  readonly waiting?: number
  /** Maximum number of running and waiting tasks per owner; more are refused. Unlimited if absent. */
  readonly ofOneOwner?: number
  /** Maximum number of waiting patient tasks; more are refused. 16 if absent. */
  readonly patientWaiting?: number
}

export type Queue = {
  /**
   * Runs the task in its turn: first come, first served.
   *
   * @throws {Problem} `too-many-attempts` when a limit of the queue is reached
   * @throws the reason of `signal`, if it is aborted before the turn comes
   */
  inTurn<T>(task: () => Promise<T>, options?: QueueOptions): Promise<T>
  /** Whether a patient task would be refused now. */
  isCrowded(): boolean
}

export type QueueOptions = {
  /** A patient task runs after all others and leaves one place free for them. */
  isPatient?: boolean
  /** Counted against `ofOneOwner`. Owners take turns: many tasks of one delay those of another by one task. */
  owner?: string
  /** Aborted when the caller gives up: a waiting task leaves the queue. A task that runs ends itself. */
  signal?: AbortSignal | undefined
}

/** Places that are taken for as long as something lasts. */
export type PlacesOf = {
  /** Unique in the program. */
  readonly name: string
  readonly places: number
}

/** What one key may have of the places at once. */
export type Share = { readonly key: string; readonly most: number }

export type Places = {
  /**
   * Takes a place, counted against each share.
   *
   * @returns a function that frees it, harmless the second time; or what is used up: a share, or all places
   */
  take(shares: readonly Share[]): (() => void) | 'share' | 'places'
}

/**
 * Memory of this process, shared between calls. It is lost with the process, and every process has its own: it
 * may save work and spread load, but no verdict and no acknowledgement may depend on it.
 */
export type Memory = {
  /** The same cache for the same name. */
  cache<T>(cache: CacheOf<T>): Cache<T>
  /** The same queue for the same name. */
  queue(queue: QueueOf): Queue
  /** The same value for the same name. */
  shared<T>(shared: SharedOf<T>): T
  /** The same places for the same name. */
  places(places: PlacesOf): Places
}
