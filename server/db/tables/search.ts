export type DocumentTextRow = {
  /** Orders texts by the time of their documents, see `numberOf`. */
  number: number
  document_id: string
  office_id: string
  /** Folded words, see `documentText`. */
  text: string
}

/** A document whose text is to be written. */
export type TextDueRow = {
  document_id: string
}

/** A word of some document of the office. */
export type SearchWordRow = {
  office_id: string
  word: string
}

/** A word with what remains of it without one letter, see `partsOf`. */
export type SearchWordPartRow = {
  office_id: string
  part: string
  word: string
}
