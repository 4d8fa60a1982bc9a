import { latin1 } from '#server/domain/pdf/characters.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import type { IrregularityList } from './irregularity.ts'

const BLANK = '(?:[\\0\\t\\n\\f\\r ]|%[^\\r\\n]*[\\r\\n])'
/** What stands before `obj` where an object begins. */
const NUMBERS = new RegExp(`\\d${BLANK}+\\d{1,10}${BLANK}*$`)
/** What stands behind `trailer`. */
const DICTIONARY = new RegExp(`^${BLANK}*<<`)
/** How far is looked from a keyword. */
const REACH = 96

/**
 * Finds what looks like the beginning of an object or a trailer inside streams, strings and comments: programs
 * that search a file whose cross-reference they do not believe find it there.
 *
 * @param start where the search begins
 * @param keywords where the keywords of the objects and trailers stand that are parts of the file
 * @throws {PdfError} `too-complex`
 */
export function findHidden(
  document: PdfDocument,
  start: number,
  keywords: ReadonlySet<number>,
  list: IrregularityList,
): void {
  const { bytes, source, meter } = document
  const textAt = (from: number, to: number) =>
    latin1(source.read(Math.max(0, from), Math.min(bytes.length, to)))
  const search = (word: string, isBeginning: (at: number) => boolean) => {
    for (
      let at = bytes.indexOf(word, start, bytes.length);
      at >= 0;
      at = bytes.indexOf(word, at + word.length, bytes.length)
    ) {
      meter.spend(REACH)
      if (!keywords.has(at) && isBeginning(at)) list.add('object-hidden', at)
    }
  }
  search('obj', (at) => NUMBERS.test(textAt(at - REACH, at)))
  search('trailer', (at) => DICTIONARY.test(textAt(at + 7, at + 7 + REACH)))
}
