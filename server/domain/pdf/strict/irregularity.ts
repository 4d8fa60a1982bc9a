/**
 * Where a file leaves the grammar of the standard, so that readers have to repair it, each in its own way.
 *
 * @see ISO 32000-2:2020, 7.3.10 and 7.5
 */
export type IrregularityCode =
  /** Neither an object nor a section nor white space. */
  | 'foreign-bytes'
  /** A comment that holds a word of the file structure. */
  | 'comment-with-keyword'
  | 'object-unlisted'
  /** Inside a stream, a string or a comment. */
  | 'object-hidden'
  | 'object-misplaced'
  | 'object-repeated'
  | 'object-malformed'
  /** A row, an object or a reference has another generation than the object has. */
  | 'generation-differs'
  | 'length-wrong'
  | 'start-missing'
  | 'start-offset-wrong'
  | 'prev-offset-wrong'
  | 'end-missing'
  | 'sections-several'
  | 'section-hybrid'
  | 'table-malformed'
  | 'stream-malformed'
  | 'row-repeated'
  | 'row-elsewhere'
  | 'size-wrong'
  | 'root-missing'
  | 'slot-wrong'
  | 'slot-repeated'
  | 'slot-unlisted'

export type Irregularity = {
  readonly code: IrregularityCode
  /** Where in the file. */
  readonly offset: number
  readonly object?: number
}

/** As many as are kept; the last one found always is. */
const MAX_IRREGULARITIES = 200

export type IrregularityList = {
  readonly found: readonly Irregularity[]
  add(code: IrregularityCode, offset: number, object?: number): void
}

export function irregularityList(): IrregularityList {
  const found: Irregularity[] = []
  return {
    found,
    add(code, offset, object) {
      if (found.length >= MAX_IRREGULARITIES) found.pop()
      found.push(object === undefined ? { code, offset } : { code, offset, object })
    },
  }
}
