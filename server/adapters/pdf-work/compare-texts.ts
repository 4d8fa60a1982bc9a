import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { TextComparison } from '#server/ports/text-comparison.ts'
import { linesOf } from './page-text.ts'
import { withDocument } from './pdfium.ts'
import type { PdfiumDocument } from './pdfium-document.ts'
import { changesBetween, type PageLines } from './text-changes.ts'

export type CompareTextsTask = { file: ReadableFile; earlier: ReadableFile }

/** See `PdfWork.compareTexts`. @throws {Problem} `encrypted-pdf`, `damaged-pdf`, `pdf-too-complex` */
export async function compareTexts({ file, earlier }: CompareTextsTask): Promise<TextComparison> {
  return changesBetween(await linesIn(earlier), await linesIn(file))
}

const linesIn = (file: ReadableFile): Promise<PageLines> =>
  withReadable(file, (source) =>
    withDocument(source, (document) =>
      Array.from({ length: document.pageCount }, (_, index) => linesAt(document, index + 1)),
    ),
  )

/** None of a page that cannot be read, unless the reader broke at it. */
function linesAt(document: PdfiumDocument, page: number): string[] {
  try {
    return document.withPage(page, linesOf)
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error
    return []
  }
}
