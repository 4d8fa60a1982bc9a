import { deflatedPiece, type Piece, storedPiece } from './gzip-pieces.ts'

/** The texts unique to one response, each of a fixed length: its nonce, its token. */
export type OwnTexts = readonly string[]

/** A page shared by many responses, in pieces; a number is the place of one of its own texts. */
export type PageTemplate = { lengths: readonly number[]; parts: readonly (Piece | number)[] }

/** A byte that never occurs in UTF-8. @see RFC 3629, 1 */
const NO_TEXT = 0xff

/**
 * Makes a template of a finished page, with the best compression.
 *
 * @param own the texts in this page; they must not occur elsewhere in it
 */
export function templateOf(page: string, own: OwnTexts): PageTemplate {
  const parts: (Piece | number)[] = []
  let before = Buffer.alloc(0)
  for (const part of page.split(anyOf(own))) {
    const index = own.indexOf(part)
    const plain = Buffer.from(part)
    parts.push(index < 0 ? deflatedPiece(plain, { level: 9, before }) : index)
    // Later pieces must not refer back to an own text, which differs in every response.
    before = Buffer.concat([before, index < 0 ? plain : Buffer.alloc(part.length, NO_TEXT)])
  }
  return { lengths: own.map(({ length }) => length), parts }
}

/**
 * Fills the template with the own texts of another response.
 *
 * @throws {RangeError} if a text has another length: later references use distances
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
