import { PdfError } from './error.ts'

/*
 * How much an honest file may ask for. Each is far above what producers write and far below what would
 * stop the office.
 */
/** Arrays and dictionaries inside each other. */
export const MAX_NESTING = 250
/** Bytes of one string; the largest honest ones are signatures with their evidence. */
export const MAX_STRING = 64 << 20
/** Bytes that one stream of the structure may expand to. */
export const MAX_DECODED = 64 << 20
/** Entries of all cross-reference sections together. */
export const MAX_ENTRIES = 1_000_000
export const MAX_SECTIONS = 4096
export const MAX_PAGES = 200_000
export const MAX_FIELDS = 100_000
/** Depth of the page tree and of the field tree. */
export const MAX_TREE_DEPTH = 200

/** Counts what reading costs, in bytes looked at; a file that makes us look again and again is refused. */
export type WorkMeter = {
  /** @throws {PdfError} `too-complex` when the allowance is used up */
  spend(bytes: number): void
}

export function workMeter(fileLength: number): WorkMeter {
  let left = (96 << 20) + 4 * fileLength
  return {
    spend(bytes) {
      left -= bytes
      // What is no number is no allowance.
      if (!(left >= 0)) throw new PdfError('too-complex', 'the file makes us read too much')
    },
  }
}
