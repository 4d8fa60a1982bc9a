import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import type { ByteSource } from '#server/domain/bytes.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { PagePart } from '#server/ports/pdf-work.ts'
import { withDocument } from './pdfium.ts'
import type { DrawnPart, PdfiumPage, ShownSize } from './pdfium-document.ts'
import { encodePng } from './png.ts'

/** In pixels. */
export const WIDEST = 2000
/** Of a page that is much taller than wide; it is drawn narrower than asked. */
export const TALLEST = 6000

export type PictureTask = { file: ReadableFile; of: PagePart }

/**
 * A page, or a part of it, as PNG.
 *
 * @throws {Problem} `not-found` when there is no such page or part; `encrypted-pdf`, `damaged-pdf`;
 *   `pdf-too-complex` when drawing it needs too much memory
 */
export async function drawPicture({ file, of }: PictureTask): Promise<Uint8Array> {
  return await withReadable(file, (source) => drawPartOf(source, of))
}

/** The same of an open file. */
export async function drawPartOf(source: ByteSource, of: PagePart): Promise<Uint8Array> {
  return await ofPage(source, of.page, (page) => {
    const part = partOf(page.size, of)
    return encodePng({ width: part.width, height: part.height, data: page.draw(part) })
  })
}

/** In points, as the pages are shown: after their own rotation. @throws {Problem} see `drawPicture` */
export async function pageSizes({ file }: { file: ReadableFile }): Promise<PageSize[]> {
  return await withReadable(file, (source) =>
    withDocument(source, (document) =>
      Array.from({ length: document.pageCount }, (_, index) => document.sizeOf(index + 1)),
    ),
  )
}

/** Gives `use` an open page. @throws {Problem} see `drawPicture` */
export async function ofPage<T>(
  source: ByteSource,
  number: number,
  use: (page: PdfiumPage) => T,
): Promise<T> {
  return await withDocument(source, (document) => {
    if (!Number.isInteger(number) || number < 1 || number > document.pageCount)
      throw new Problem('not-found', `no page ${number}`)
    return document.withPage(number, (page) => {
      if (!(page.size.width > 0 && page.size.height > 0))
        throw new Problem('damaged-pdf', `page ${number} cannot be drawn`)
      return use(page)
    })
  })
}

/** @throws {Problem} `not-found` when the page has no such part */
function partOf(page: ShownSize, { width: asked, region, rotate = 0 }: PagePart): DrawnPart {
  const turns = rotate / 90
  const isTurned = turns % 2 === 1
  const shown = isTurned ? { width: page.height, height: page.width } : page
  const { parts, row, column } = region ?? { parts: 1, row: 0, column: 0 }
  if (![row, column].every((one) => Number.isInteger(one) && one >= 0 && one < parts))
    throw new Problem('not-found', `no part ${row}, ${column} of ${parts}`)
  const wanted = Math.max(1, Math.min(Math.floor(asked), WIDEST))
  const scale = parts * Math.min(wanted / shown.width, TALLEST / shown.height)
  const whole = {
    wholeWidth: Math.max(parts, Math.round(shown.width * scale)),
    wholeHeight: Math.max(parts, Math.round(shown.height * scale)),
  }
  const [left, right] = spanOf(whole.wholeWidth, column, parts)
  const [top, bottom] = spanOf(whole.wholeHeight, row, parts)
  return { ...whole, left, top, width: right - left, height: bottom - top, turns }
}

/** Neighbours share their edge, so that no line of pixels is lost between two parts. */
const spanOf = (length: number, index: number, parts: number) =>
  [Math.floor((length * index) / parts), Math.floor((length * (index + 1)) / parts)] as const
