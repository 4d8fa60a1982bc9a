import { deflatedPiece, type Piece, storedPiece } from './gzip-pieces.ts'

/** The texts that a page has of one answer alone, each of a fixed length: its nonce, its token. */
export type OwnTexts = readonly string[]

/** A page that is the same for many, in pieces; a number stands where that one of the own texts belongs. */
export type PageTemplate = { lengths: readonly number[]; parts: readonly (Piece | number)[] }

/** A byte that stands in no UTF-8. @see RFC 3629, 1 */
const NO_TEXT = 0xff

/**
 * Makes a template of a finished page, compressed as well as can be.
 *
 * @param own as they stand in this page: nothing else in it may look like them
 */
export function templateOf(page: string, own: OwnTexts): PageTemplate {
  const parts: (Piece | number)[] = []
  let before = Buffer.alloc(0)
  for (const part of page.split(anyOf(own))) {
    const index = own.indexOf(part)
    parts.push(index < 0 ? deflatedPiece(part, { level: 9, before }) : index)
    // No text refers back to what no text has: what stands there is different in every answer.
    before = Buffer.concat([
      before,
      index < 0 ? Buffer.from(part) : Buffer.alloc(part.length, NO_TEXT),
    ])
  }
  return { lengths: own.map(({ length }) => length), parts }
}

/**
 * The page with the texts of another answer.
 *
 * @throws {RangeError} when one is not as long as the text whose place it takes: what follows refers back by distance
 */
export function filledTemplate({ lengths, parts }: PageTemplate, own: OwnTexts): Piece[] {
  const pieces = own.map((text, index) => {
    if (text.length !== lengths[index]) throw new RangeError('an own text has another length')
    return storedPiece(text)
  })
  return parts.map((part) => (typeof part === 'number' ? (pieces[part] as Piece) : part))
}

const anyOf = (texts: OwnTexts) =>
  new RegExp(`(${texts.map((text) => text.replace(/[^\w]/g, '\\$&')).join('|')})`)
