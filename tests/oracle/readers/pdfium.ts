import { readFileSync } from 'node:fs'
import type { PDFiumDocument, PDFiumPage } from '@hyzyla/pdfium'
import { withDocument } from '#server/adapters/pdf-work/pdfium.ts'
import {
  DOTS_PER_INCH,
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
  try {
    return await withDocument(readFileSync(file), async (document) => ({
      pages: await pagesOf(document),
    }))
  } catch (error) {
    return { refusal: String(error) }
  }
}

async function pagesOf(document: PDFiumDocument): Promise<ShownPage[]> {
  const pages: ShownPage[] = []
  for (const page of document.pages()) pages.push(await shown(page))
  return pages
}

/** The words first: drawing closes the page. */
async function shown(page: PDFiumPage): Promise<ShownPage> {
  const words = wordsOf(page.getText())
  const drawn = await page.render({
    scale: DOTS_PER_INCH / 72,
    render: 'bitmap',
    colorSpace: 'Gray',
    renderFormFields: true,
  })
  return { words, picture: { width: drawn.width, height: drawn.height, gray: drawn.data } }
}
