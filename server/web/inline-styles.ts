import { constants, crc32, deflateRawSync } from 'node:zlib'
import { createPageStyles } from './page-styles.ts'

/** A finished page that lacks its style sheets: they belong between `head` and `tail`. */
export type UnstyledPage = { head: string; hrefs: readonly string[]; tail: string }

export type PageBody = { bytes: Uint8Array<ArrayBuffer>; encoding: 'gzip' | 'identity' }

/**
 * Puts into a page what it needs of the given style sheets of the build, and compresses it when the browser
 * takes gzip.
 *
 * @param accepted the header `Accept-Encoding`, or null
 */
export type InlineStyles = (page: UnstyledPage, accepted: string | null) => PageBody

type Styles = { plain: Buffer; deflated: Buffer }

/*
 * The styles are the better part of a page and the same for many, so they are compressed once, and well. gzip
 * and not Brotli: only in a gzip stream can pieces that were compressed apart stand one behind the other.
 */
export function createInlineStyles(folder: string): InlineStyles {
  const stylesFor = createPageStyles(folder, (css): Styles => {
    const plain = Buffer.from(css)
    return { plain, deflated: deflated(plain, { level: 9 }) }
  })
  return ({ head, hrefs, tail }, accepted) => {
    const styles = stylesFor(hrefs, head + tail)
    const before = Buffer.from(head)
    const after = Buffer.from(tail)
    if (!GZIP.test(accepted ?? ''))
      return { bytes: Buffer.concat([before, styles.plain, after]), encoding: 'identity' }
    return { bytes: gzipped(before, styles, after), encoding: 'gzip' }
  }
}

const GZIP = /\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/

/** @see RFC 1952, 2.3: no name, no time, unknown system */
const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff])

function gzipped(before: Buffer, styles: Styles, after: Buffer): Buffer<ArrayBuffer> {
  const trailer = Buffer.alloc(8)
  trailer.writeUInt32LE(crc32(after, crc32(styles.plain, crc32(before))), 0)
  trailer.writeUInt32LE(before.length + styles.plain.length + after.length, 4)
  return Buffer.concat([
    HEADER,
    deflated(before, { level: 6 }),
    styles.deflated,
    deflated(after, { level: 6, isLast: true }),
    trailer,
  ])
}

/** Blocks that end on a whole byte and refer to nothing before themselves. @see RFC 1951, 3.2 */
function deflated(bytes: Buffer, { level, isLast = false }: { level: number; isLast?: boolean }) {
  const { Z_FINISH, Z_SYNC_FLUSH } = constants
  return deflateRawSync(bytes, { level, finishFlush: isLast ? Z_FINISH : Z_SYNC_FLUSH })
}
