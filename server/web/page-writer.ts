import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import { deflatedPiece, gzipped, type Piece } from './gzip-pieces.ts'
import { createPageStyles } from './page-styles.ts'
import { filledTemplate, type OwnTexts, type PageTemplate, templateOf } from './page-template.ts'

/** A finished page that lacks its style sheets: they belong between `head` and `tail`. */
export type UnstyledPage = { head: string; hrefs: readonly string[]; tail: string }

export type PageBody = { bytes: Uint8Array<ArrayBuffer>; encoding: 'gzip' | 'identity' }

/** Each body is compressed when the browser takes gzip; `accepted` is its header `Accept-Encoding`, or null. */
export type PageWriter = {
  /** The page with what it needs of its style sheets. */
  write(page: UnstyledPage, accepted: string | null): PageBody
  /** As `write`, for a page that others will be given too. */
  writeForMany(shared: SharedPage, page: UnstyledPage, accepted: string | null): PageBody
  /** The page that was made of the same before, with other own texts; undefined when there is none. */
  writeAgain(shared: SharedPage, accepted: string | null): PageBody | undefined
}

export type SharedPage = {
  /** All that the page follows from but its own texts. */
  madeOf: string
  /** The texts of this answer alone, as they stand in the page. */
  own: OwnTexts
}

/** So many pages are kept, each with some tens of kilobytes. */
const MOST_PAGES = 64

/**
 * The styles are the better part of a page and the same for many, so they are compressed once, and well. gzip
 * and not Brotli: only in a gzip stream can pieces that were compressed apart stand one behind the other.
 *
 * @param folder of the built style sheets
 */
export function createPageWriter(folder: string): PageWriter {
  const templates = createLeastRecentlyUsed<PageTemplate>(MOST_PAGES)
  const stylesFor = createPageStyles(folder, (css) => deflatedPiece(css, { level: 9 }))

  return {
    write({ head, hrefs, tail }, accepted) {
      const before = deflatedPiece(head, { level: 6 })
      const after = deflatedPiece(tail, { level: 6 })
      return bodyOf([before, stylesFor(hrefs, head + tail), after], accepted)
    },
    writeForMany({ madeOf, own }, { head, hrefs, tail }, accepted) {
      const page = `${head}${stylesFor(hrefs, head + tail).plain}${tail}`
      const template = templates.keep(madeOf, templateOf(page, own))
      return bodyOf(filledTemplate(template, own), accepted)
    },
    writeAgain({ madeOf, own }, accepted) {
      const template = templates.find(madeOf)
      return template && bodyOf(filledTemplate(template, own), accepted)
    },
  }
}

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

function bodyOf(pieces: readonly Piece[], accepted: string | null): PageBody {
  if (GZIP.test(accepted ?? '')) return { bytes: gzipped(pieces), encoding: 'gzip' }
  return { bytes: Buffer.concat(pieces.map(({ plain }) => plain)), encoding: 'identity' }
}
