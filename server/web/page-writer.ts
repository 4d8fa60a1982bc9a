import { brotliCompressSync, constants } from 'node:zlib'
import { createLeastRecentlyUsed } from '#server/domain/least-recently-used.ts'
import { deflatedPiece, gzipped, type Piece } from './gzip-pieces.ts'
import { createPageStyles } from './page-styles.ts'
import { filledTemplate, type OwnTexts, type PageTemplate, templateOf } from './page-template.ts'

/** A finished page in UTF-8 without its style sheets, which go between `head` and `tail`. */
export type UnstyledPage = { head: Buffer; hrefs: readonly string[]; tail: Buffer }

export type PageBody = { bytes: Uint8Array<ArrayBuffer>; encoding: 'br' | 'gzip' | 'identity' }

/** Bodies are compressed if the browser accepts it; `accepted` is its `Accept-Encoding`, or null. */
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
 * Styles are most of a page that contains them and shared by many, so they are compressed once, at a high level, with gzip:
 * only its streams can be joined from separately compressed pieces. A page that links its styles is compressed with Brotli.
 *
 * @param folder of the built style sheets
 */
export function createPageWriter(folder: string): PageWriter {
  const templates = createLeastRecentlyUsed<PageTemplate>(MOST_PAGES)
  const stylesFor = createPageStyles(folder, (css) => deflatedPiece(Buffer.from(css), { level: 9 }))

  return {
    write({ head, hrefs, tail }, accepted) {
      if (hrefs.length === 0 && accepts('br', accepted))
        return { bytes: brotli(Buffer.concat([head, tail])), encoding: 'br' }
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

/** A long list takes two thirds of the time and seven eighths of the bytes of gzip at its usual level. */
const BROTLI_QUALITY = 4

const brotli = (page: Buffer) =>
  brotliCompressSync(page, { params: { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY } })

/** Named, and not excluded by a weight of zero. @see RFC 9110, 12.5.3 */
const NAMED = {
  br: /\bbr\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
  gzip: /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/,
}

const accepts = (encoding: keyof typeof NAMED, accepted: string | null) =>
  NAMED[encoding].test(accepted ?? '')

function bodyOf(pieces: readonly Piece[], accepted: string | null): PageBody {
  if (accepts('gzip', accepted)) return { bytes: gzipped(pieces), encoding: 'gzip' }
  return { bytes: Buffer.concat(pieces.map(({ plain }) => plain)), encoding: 'identity' }
}
