/** What we use of PDFium. @see https://pdfium.googlesource.com/pdfium/+/refs/heads/main/public/ */
export type PdfiumExports = {
  readonly memory: WebAssembly.Memory
  readonly __indirect_function_table: WebAssembly.Table
  malloc(bytes: number): number
  free(pointer: number): void
  FPDF_InitLibrary(): void
  FPDF_LoadCustomDocument(access: number, password: number): number
  FPDF_CloseDocument(document: number): void
  FPDF_GetLastError(): number
  FPDF_GetPageCount(document: number): number
  FPDF_GetPageSizeByIndexF(document: number, index: number, size: number): number
  FPDF_LoadPage(document: number, index: number): number
  FPDF_ClosePage(page: number): void
  FPDF_GetPageWidth(page: number): number
  FPDF_GetPageHeight(page: number): number
  FPDFDOC_InitFormFillEnvironment(document: number, info: number): number
  FPDFDOC_ExitFormFillEnvironment(form: number): void
  FORM_OnAfterLoadPage(page: number, form: number): void
  FORM_OnBeforeClosePage(page: number, form: number): void
  FPDFBitmap_CreateEx(
    width: number,
    height: number,
    format: number,
    pixels: number,
    stride: number,
  ): number
  FPDFBitmap_FillRect(bitmap: number, ...rectangle: [...Rectangle, colour: number]): void
  FPDFBitmap_Destroy(bitmap: number): void
  FPDF_RenderPageBitmap(...drawing: Drawing): void
  FPDF_FFLDraw(form: number, ...drawing: Drawing): void
  FPDF_PageToDevice(
    page: number,
    ...place: [...Rectangle, rotate: number, ...Point, ...Point]
  ): number
  FPDFText_LoadPage(page: number): number
  FPDFText_ClosePage(text: number): void
  FPDFText_CountChars(text: number): number
  FPDFText_GetUnicode(text: number, index: number): number
  FPDFText_GetLooseCharBox(text: number, index: number, box: number): number
}

type Rectangle = [left: number, top: number, width: number, height: number]
type Point = [x: number, y: number]
type Drawing = [bitmap: number, page: number, ...Rectangle, rotate: number, flags: number]

/** In points, as the page is shown. */
export type ShownSize = { width: number; height: number }

export type PdfiumDocument = {
  readonly pageCount: number
  /** 0 × 0 for a page that cannot be read. @param page counts from 1 */
  sizeOf(page: number): ShownSize
  /** The page must exist. @param page counts from 1 */
  withPage<T>(page: number, use: (page: PdfiumPage) => T): T
  close(): void
}

/** A page while it is open. */
export type PdfiumPage = {
  readonly size: ShownSize
  readonly pdfium: PdfiumExports
  readonly pointer: number
  /** Draws a part of the page with its forms and annotations: four bytes a pixel, red, green, blue, opaque. */
  draw(part: DrawnPart): Uint8Array
}

/** The whole page has `wholeWidth` × `wholeHeight` pixels; the part begins at `left`, `top` in it. In pixels. */
export type DrawnPart = {
  wholeWidth: number
  wholeHeight: number
  left: number
  top: number
  width: number
  height: number
  /** Quarter turns clockwise; the sizes are those after it. */
  turns: number
}

const ERRORS: Record<number, string> = {
  2: 'the file cannot be opened',
  3: 'the file is no PDF, or damaged',
  4: 'a password is required',
  5: 'an unknown security handler',
  6: 'a page cannot be found',
}
const OUT_OF_MEMORY = 'out of memory'

/** @throws {Error} if PDFium cannot open it */
export function openDocument(pdfium: PdfiumExports, access: number): PdfiumDocument {
  const document = pdfium.FPDF_LoadCustomDocument(access, 0)
  if (document === 0) throw new Error(ERRORS[pdfium.FPDF_GetLastError()] ?? 'an unknown error')
  const form = formOf(pdfium, document)
  const pageCount = pdfium.FPDF_GetPageCount(document)
  return {
    pageCount,
    sizeOf: (page) => sizeByIndex(pdfium, document, page - 1),
    withPage(number, use) {
      const page = pdfium.FPDF_LoadPage(document, number - 1)
      if (page === 0) throw new Error(`page ${number} cannot be read`)
      try {
        return use(openPage(pdfium, page, form.open))
      } finally {
        pdfium.FPDF_ClosePage(page)
      }
    },
    close() {
      form.close()
      pdfium.FPDF_CloseDocument(document)
    },
  }
}

function sizeByIndex(pdfium: PdfiumExports, document: number, index: number): ShownSize {
  const at = allocate(pdfium, 8)
  const isKnown = pdfium.FPDF_GetPageSizeByIndexF(document, index, at) !== 0
  const floats = new DataView(pdfium.memory.buffer, at, 8)
  const size = { width: floats.getFloat32(0, true), height: floats.getFloat32(4, true) }
  pdfium.free(at)
  return isKnown ? size : { width: 0, height: 0 }
}

/** FPDF_FORMFILLINFO has 140 bytes. */
const FORM_BYTES = 256
const FORM_VERSION = 2

/** Without a form neither the values of fields nor the appearances of signatures are drawn. */
function formOf(pdfium: PdfiumExports, document: number) {
  let opened: { info: number; form: number } | undefined
  return {
    open(): number {
      if (opened) return opened.form
      const info = allocate(pdfium, FORM_BYTES)
      new Uint8Array(pdfium.memory.buffer, info, FORM_BYTES).fill(0)
      new DataView(pdfium.memory.buffer).setUint32(info, FORM_VERSION, true)
      const form = pdfium.FPDFDOC_InitFormFillEnvironment(document, info)
      if (form === 0) throw new Error('the form of the document cannot be read')
      opened = { info, form }
      return form
    },
    close() {
      if (!opened) return
      pdfium.FPDFDOC_ExitFormFillEnvironment(opened.form)
      pdfium.free(opened.info)
    },
  }
}

/** Four bytes a pixel, in the order of the machine. */
const BGRA = 4
const WHITE = 0xffffffff
const WITH_ANNOTATIONS = 0x01
const LCD_TEXT = 0x02
const RED_FIRST = 0x10

function openPage(pdfium: PdfiumExports, page: number, openForm: () => number): PdfiumPage {
  function draw({ wholeWidth, wholeHeight, left, top, width, height, turns }: DrawnPart) {
    const form = openForm()
    const bytes = width * height * BGRA
    const pixels = allocate(pdfium, bytes)
    pdfium.FORM_OnAfterLoadPage(page, form)
    const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BGRA, pixels, width * BGRA)
    if (bitmap === 0) throw new Error(OUT_OF_MEMORY)
    pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE)
    const place = [bitmap, page, -left, -top, wholeWidth, wholeHeight, turns] as const
    pdfium.FPDF_RenderPageBitmap(...place, WITH_ANNOTATIONS | LCD_TEXT | RED_FIRST)
    pdfium.FPDF_FFLDraw(form, ...place, LCD_TEXT | RED_FIRST)
    pdfium.FORM_OnBeforeClosePage(page, form)
    const drawn = new Uint8Array(pdfium.memory.buffer, pixels, bytes).slice()
    pdfium.FPDFBitmap_Destroy(bitmap)
    pdfium.free(pixels)
    return drawn
  }
  const size = { width: pdfium.FPDF_GetPageWidth(page), height: pdfium.FPDF_GetPageHeight(page) }
  return { size, pdfium, pointer: page, draw }
}

/** @throws {Error} at the limit of the heap */
export function allocate(pdfium: PdfiumExports, bytes: number): number {
  const pointer = pdfium.malloc(bytes)
  if (pointer === 0) throw new Error(OUT_OF_MEMORY)
  return pointer >>> 0
}
