import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import { deflatedPiece, gzipped, type Piece } from './gzip-pieces.ts'
import { createPageStyles } from './page-styles.ts'
import { filledTemplate, type OwnTexts, type PageTemplate, templateOf } from './page-template.ts'

/** A finished page in UTF-8 without its style sheets, which go between `head` and `tail`. */
export type UnstyledPage = { head: Buffer; hrefs: readonly string[]; tail: Buffer }

export type PageBody = { bytes: Uint8Array<ArrayBuffer>; encoding: 'gzip' | 'identity' }

/** Bodies are compressed if the browser accepts gzip; `accepted` is its `Accept-Encoding`, or null. */
export type PageWriter = {
  /** Writes the page with the styles that it needs. */
  write(page: UnstyledPage, accepted: string | null): PageBody
  /** The same for a page shared by many responses. */
  writeForMany(shared: SharedPage, page: UnstyledPage, accepted: string | null): PageBody
  /** A cached page with other own texts; undefined if there is none. */
  writeAgain(shared: SharedPage, accepted: string | null): PageBody | undefined
}

export type SharedPage = {
  /** The cache key: everything that determines the page except its own texts. */
  madeOf: string
  /** The texts unique to this response, as in the page. */
  own: OwnTexts
}

/** Cached pages, each some tens of kilobytes. */
const MOST_PAGES = 64

/**
 * Styles are most of a page and shared by many, so they are compressed once, at a high level. gzip instead of
 * Brotli: only gzip streams can be joined from separately compressed pieces.
 *
 * @param folder of the built style sheets
 */
export function createPageWriter(folder: string): PageWriter {
  const templates = createLeastRecentlyUsed<PageTemplate>(MOST_PAGES)
  const stylesFor = createPageStyles(folder, (css) => deflatedPiece(Buffer.from(css), { level: 9 }))

  return {
    write({ head, hrefs, tail }, accepted) {
      const before = deflatedPiece(head, { level: 6 })
      const after = deflatedPiece(tail, { level: 6 })
      return bodyOf([before, stylesFor(hrefs, markupOf(head, tail)), after], accepted)
    },
    writeForMany({ madeOf, own }, { head, hrefs, tail }, accepted) {
      const page = [head, stylesFor(hrefs, markupOf(head, tail)).plain, tail]
      const template = templates.keep(madeOf, templateOf(String(Buffer.concat(page)), own))
      return bodyOf(filledTemplate(template, own), accepted)
    },
    writeAgain({ madeOf, own }, accepted) {
      const template = templates.find(madeOf)
      return template && bodyOf(filledTemplate(template, own), accepted)
    },
  }
}

/** For its tags and attributes, which are ASCII: decoding UTF-8 takes longer. */
const markupOf = (...parts: readonly Buffer[]) =>
  parts.map((part) => part.toString('latin1')).join('')

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

function bodyOf(pieces: readonly Piece[], accepted: string | null): PageBody {
  if (GZIP.test(accepted ?? '')) return { bytes: gzipped(pieces), encoding: 'gzip' }
  return { bytes: Buffer.concat(pieces.map(({ plain }) => plain)), encoding: 'identity' }
}
