import type { PDFiumDocument } from '@hyzyla/pdfium'
import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { Problem } from '#server/domain/problem.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import { withDocument } from './pdfium.ts'
import { encodePng } from './png.ts'

/** PDFium wants the whole file in its memory. */
const FILE_LIMIT = 64 << 20
const WIDEST = 2000
/** Of a page that is much taller than wide; it is drawn narrower than asked. */
const TALLEST = 6000

export type PictureTask = { file: ReadableFile; page: number; width: number }

/**
 * A page as PNG.
 *
 * @throws {Problem} `too-large` for a file over 64 MB; `not-found` when there is no such page;
 *   `encrypted-pdf`, `damaged-pdf`; `pdf-too-complex` when drawing it needs too much memory
 */
export async function drawPicture({ file, page, width }: PictureTask): Promise<Uint8Array> {
  return drawPageOf(await wholeFile(file), page, width)
}

/** The same of a file in memory. */
export async function drawPageOf(bytes: Uint8Array, page: number, width: number) {
  try {
    return await withDocument(bytes, (document) => drawPage(document, page, width))
  } catch (error) {
    throw refusalFor(error, page)
  }
}

/** @throws {Problem} `too-large` for a file over 64 MB */
export async function wholeFile(file: ReadableFile): Promise<Uint8Array> {
  if (file.length > FILE_LIMIT)
    throw new Problem('too-large', `no pictures of a file of ${file.length} bytes`)
  return await withReadable(file, (source) => source.read(0, source.length))
}

async function drawPage(document: PDFiumDocument, number: number, width: number) {
  if (!Number.isInteger(number) || number < 1 || number > document.getPageCount())
    throw new Problem('not-found', `no page ${number}`)
  const page = document.getPage(number - 1)
  const { originalWidth, originalHeight } = page.getOriginalSize()
  if (!(originalWidth > 0 && originalHeight > 0))
    throw new Problem('damaged-pdf', `page ${number} cannot be drawn`)
  const wanted = Math.max(1, Math.min(Math.floor(width), WIDEST))
  const scale = Math.min(wanted / originalWidth, TALLEST / originalHeight)
  const { data, ...size } = await page.render({
    width: Math.max(1, Math.round(originalWidth * scale)),
    height: Math.max(1, Math.round(originalHeight * scale)),
    render: 'bitmap',
    // Without it neither the values of a form nor the appearances of signatures are drawn.
    renderFormFields: true,
  })
  return encodePng({ width: size.width, height: size.height, data })
}

function refusalFor(error: unknown, page: number): Problem {
  if (error instanceof Problem) return error
  const message = error instanceof Error ? error.message : String(error)
  const cause = { cause: error }
  if (error instanceof WebAssembly.RuntimeError || /memory|abort/i.test(message))
    return new Problem('pdf-too-complex', `page ${page}: ${message}`, cause)
  if (/password|security/i.test(message)) return new Problem('encrypted-pdf', message, cause)
  return new Problem('damaged-pdf', `page ${page}: ${message}`, cause)
}
