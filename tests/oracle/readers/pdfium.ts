import { openFile } from '#server/adapters/file-source.ts'
import { textOf } from '#server/adapters/pdf-work/page-text.ts'
import { withDocument } from '#server/adapters/pdf-work/pdfium.ts'
import type { PdfiumDocument, PdfiumPage } from '#server/adapters/pdf-work/pdfium-document.ts'
import {
  DOTS_PER_INCH,
  inGray,
  type Look,
  type Reader,
  type ShownPage,
  wordsOf,
} from '#tests/oracle/look.ts'

export const PDFIUM: Reader = {
  name: 'PDFium',
  look: async (files) => {
    const looks: Look[] = []
    for (const file of files) looks.push(await lookAt(file))
    return looks
  },
}

async function lookAt(file: string): Promise<Look> {
  const source = openFile(file)
  try {
    return await withDocument(source, (document) => ({ pages: pagesOf(document) }))
  } catch (error) {
    return { refusal: String(error) }
  } finally {
    source.close()
  }
}

const pagesOf = (document: PdfiumDocument): ShownPage[] =>
  Array.from({ length: document.pageCount }, (_, index) => document.withPage(index + 1, shown))

function shown(page: PdfiumPage): ShownPage {
  const [width, height] = [page.size.width, page.size.height].map((points) =>
    Math.floor((Math.floor(points) * DOTS_PER_INCH) / 72),
  ) as [number, number]
  const part = { wholeWidth: width, wholeHeight: height, left: 0, top: 0, width, height, turns: 0 }
  const pixels = page.draw(part)
  const words = wordsOf(
    textOf(page)
      .lines.map(({ text }) => text)
      .join('\n'),
  )
  return { words, picture: { width, height, gray: inGray(pixels) } }
}
