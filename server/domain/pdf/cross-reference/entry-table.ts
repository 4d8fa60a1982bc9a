/**
 * Where an object lies. Offsets count from the start of the file, whatever the file says.
 *
 * @see ISO 32000-2:2020, 7.5.4 and 7.5.8
 */
export type CrossReferenceEntry =
  | { readonly kind: 'offset'; readonly offset: number; readonly generation: number }
  | { readonly kind: 'compressed'; readonly stream: number; readonly index: number }
  | { readonly kind: 'free'; readonly generation: number }

/** How an entry is kept in one number: what it says, times 4, plus its kind. */
const [NONE, OFFSET, COMPRESSED, FREE] = [0, 1, 2, 3] as const
const MOST_INDEXES = 2 ** 20
const HIGHEST = 2 ** 50

/** Numbers of objects may leave gaps, but not so many that the list would be longer than a map. */
const [MOST_GAPS, SMALLEST] = [4, 256] as const

/**
 * The entries of a section or of several, by the numbers of the objects: in a list of numbers, because each of a million
 * objects would take ten times the memory. What does not fit there is in a map.
 */
export class EntryTable implements ReadonlyMap<number, CrossReferenceEntry> {
  #list = new Float64Array(0)
  /** The number of the first one in the list. */
  #first = -1
  #listed = 0
  readonly #others = new Map<number, CrossReferenceEntry>()

  get size(): number {
    return this.#listed + this.#others.size
  }

  get(number: number): CrossReferenceEntry | undefined {
    const packed = this.#packed(number)
    return packed === NONE ? this.#others.get(number) : unpacked(packed)
  }

  has(number: number): boolean {
    return this.#packed(number) !== NONE || this.#others.has(number)
  }

  set(number: number, entry: CrossReferenceEntry): void {
    this.#put(number, packedOf(entry), entry)
  }

  delete(number: number): void {
    if (this.#packed(number) === NONE) this.#others.delete(number)
    else {
      this.#list[number - this.#first] = NONE
      this.#listed--
    }
  }

  /** Takes over all entries of a table; they replace those of the same numbers. */
  add(table: ReadonlyMap<number, CrossReferenceEntry>): void {
    if (!(table instanceof EntryTable)) {
      for (const [number, entry] of table) this.set(number, entry)
      return
    }
    for (let at = 0; at < table.#list.length; at++) {
      const packed = table.#list[at]!
      if (packed !== NONE) this.#put(table.#first + at, packed, undefined)
    }
    for (const [number, entry] of table.#others) this.set(number, entry)
  }

  *entries(): MapIterator<[number, CrossReferenceEntry]> {
    for (let at = 0; at < this.#list.length; at++) {
      const packed = this.#list[at]!
      if (packed !== NONE) yield [this.#first + at, unpacked(packed)]
    }
    yield* this.#others
  }

  *keys(): MapIterator<number> {
    for (let at = 0; at < this.#list.length; at++)
      if (this.#list[at] !== NONE) yield this.#first + at
    yield* this.#others.keys()
  }

  *values(): MapIterator<CrossReferenceEntry> {
    for (const [, entry] of this) yield entry
  }

  [Symbol.iterator](): MapIterator<[number, CrossReferenceEntry]> {
    return this.entries()
  }

  forEach(
    use: (
      entry: CrossReferenceEntry,
      number: number,
      table: ReadonlyMap<number, CrossReferenceEntry>,
    ) => void,
  ): void {
    for (const [number, entry] of this) use(entry, number, this)
  }

  #packed(number: number): number {
    return this.#list[number - this.#first] ?? NONE
  }

  /** @param entry what `packed` says; undefined if it fits into a number for sure */
  #put(number: number, packed: number, entry: CrossReferenceEntry | undefined): void {
    const isListed = this.#packed(number) !== NONE
    if (packed !== NONE && (isListed || (!this.#others.has(number) && this.#makesRoom(number)))) {
      this.#list[number - this.#first] = packed
      if (!isListed) this.#listed++
      return
    }
    if (isListed) this.delete(number)
    this.#others.set(number, entry ?? unpacked(packed))
  }

  /** Whether the list has a place for a number. */
  #makesRoom(number: number): boolean {
    if (this.#first < 0) this.#first = number
    const at = number - this.#first
    if (at < 0 || at >= MOST_GAPS * (this.#listed + SMALLEST)) return false
    if (at >= this.#list.length) {
      const longer = new Float64Array(Math.max(SMALLEST, 2 * this.#list.length, at + 1))
      longer.set(this.#list)
      this.#list = longer
    }
    return true
  }
}

function packedOf(entry: CrossReferenceEntry): number {
  switch (entry.kind) {
    case 'offset':
      return entry.generation === 0 ? fitting(entry.offset, OFFSET) : NONE
    case 'compressed':
      return entry.index < MOST_INDEXES
        ? fitting(entry.stream * MOST_INDEXES + entry.index, COMPRESSED)
        : NONE
    case 'free':
      return fitting(entry.generation, FREE)
  }
}

const fitting = (value: number, kind: number) => (value < HIGHEST ? value * 4 + kind : NONE)

function unpacked(packed: number): CrossReferenceEntry {
  const value = Math.floor(packed / 4)
  switch (packed - value * 4) {
    case OFFSET:
      return { kind: 'offset', offset: value, generation: 0 }
    case COMPRESSED: {
      const stream = Math.floor(value / MOST_INDEXES)
      return { kind: 'compressed', stream, index: value - stream * MOST_INDEXES }
    }
    default:
      return { kind: 'free', generation: value }
  }
}
