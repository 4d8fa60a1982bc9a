import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'
import {
  DOTS_PER_INCH,
  inGray,
  type Look,
  type Reader,
  type ShownPage,
  wordsOf,
} from '#tests/oracle/look.ts'

export const PDF_JS: Reader = {
  name: 'pdf.js',
  look: async (files) => {
    const looks: Look[] = []
    for (const file of files) looks.push(await lookAt(file))
    return looks
  },
}

async function lookAt(file: string): Promise<Look> {
  try {
    return await withPdfJs(readFileSync(file), async (document) => ({
      pages: await pagesOf(document),
    }))
  } catch (error) {
    if (error instanceof CanvasMissing) throw error
    return { refusal: String(error) }
  }
}

/** A folder beside the module of pdf.js; on a file system it wants a path. */
const folderOf = (name: string) =>
  fileURLToPath(new URL(`../../${name}/`, import.meta.resolve('pdfjs-dist/legacy/build/pdf.mjs')))
const FOLDERS = {
  standardFontDataUrl: folderOf('standard_fonts'),
  cMapUrl: folderOf('cmaps'),
  wasmUrl: folderOf('wasm'),
  iccUrl: folderOf('iccs'),
}

/** Opens the document while `use` runs. @throws {Error} of pdf.js, or of `use` */
export async function withPdfJs<T>(
  bytes: Uint8Array,
  use: (document: PDFDocumentProxy) => Promise<T>,
): Promise<T> {
  const task = getDocument({
    ...FOLDERS,
    data: new Uint8Array(bytes),
    verbosity: 0,
    disableFontFace: true,
    useSystemFonts: false,
  })
  try {
    return await use(await task.promise)
  } finally {
    await task.destroy()
  }
}

async function pagesOf(document: PDFDocumentProxy): Promise<ShownPage[]> {
  const pages: ShownPage[] = []
  for (let number = 1; number <= document.numPages; number++)
    pages.push(await shown(document, number))
  return pages
}

async function shown(document: PDFDocumentProxy, number: number): Promise<ShownPage> {
  const page = await document.getPage(number)
  const viewport = page.getViewport({ scale: DOTS_PER_INCH / 72 })
  const size = { width: Math.ceil(viewport.width), height: Math.ceil(viewport.height) }
  const { canvas, context } = canvasOf(document, size)
  await page.render({ canvas, canvasContext: context, viewport }).promise
  const { data } = context.getImageData(0, 0, size.width, size.height)
  const { items } = await page.getTextContent()
  const text = items.map((item) => ('str' in item ? item.str : '')).join(' ')
  return { words: wordsOf(text), picture: { ...size, gray: inGray(data) } }
}

class CanvasMissing extends Error {}

type Canvas = { canvas: HTMLCanvasElement; context: CanvasRenderingContext2D }

/** @throws {CanvasMissing} where npm did not install the canvas of pdf.js, which is made for each system */
function canvasOf(
  document: PDFDocumentProxy,
  { width, height }: { width: number; height: number },
): Canvas {
  const factory = document.canvasFactory as { create(width: number, height: number): Canvas }
  try {
    return factory.create(width, height)
  } catch (cause) {
    throw new CanvasMissing('pdf.js cannot draw: @napi-rs/canvas is not installed', { cause })
  }
}
