import { withReadable } from '#server/adapters/blobs/readable-file.ts'
import { shownText } from '#server/domain/text/shown-text.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { PageText } from '#server/ports/pdf-work.ts'
import { allocate, type PdfiumPage } from './pdfium-document.ts'
import { ofPage } from './picture.ts'

/** Of one page; a page of small print has some 8,000. */
export const MOST_CHARACTERS = 20_000
export const MOST_LINES = 2_000
/** PDFium gives places in whole pixels: the page is laid out so many times larger. */
const PIXELS_PER_POINT = 16

type Box = { left: number; top: number; right: number; bottom: number }
type Line = { text: string; box: Box | undefined; size: number }

/** See `PdfWork.pageText`. @throws {Problem} `not-found`, `encrypted-pdf`, `damaged-pdf`, `pdf-too-complex` */
export async function readPageText(file: ReadableFile, number: number): Promise<PageText> {
  return await withReadable(file, (source) => ofPage(source, number, textOf))
}

/** The text of an open page. */
export function textOf(page: PdfiumPage): PageText {
  const { pdfium, pointer, size } = page
  const text = pdfium.FPDFText_LoadPage(pointer)
  if (text === 0) return { ...size, lines: [], isCut: false }
  const memory = allocate(pdfium, 16)
  try {
    const count = pdfium.FPDFText_CountChars(text)
    const lines: Line[] = []
    let line: Line = newLine()
    let isCut = count > MOST_CHARACTERS
    for (let index = 0; index < Math.min(count, MOST_CHARACTERS); index += 1) {
      const unit = pdfium.FPDFText_GetUnicode(text, index)
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) {
        lines.push(line)
        line = newLine()
        if (lines.length > MOST_LINES) break
      } else add(line, unit, boxOf(page, text, index, memory))
    }
    lines.push(line)
    const shown = lines.flatMap(shownLine)
    if (shown.length > MOST_LINES) isCut = true
    return { ...size, lines: shown.slice(0, MOST_LINES), isCut }
  } finally {
    pdfium.free(memory)
    pdfium.FPDFText_ClosePage(text)
  }
}

/** The lines of an open page without their places, which take most of the time. */
export function linesOf({ pdfium, pointer }: PdfiumPage): string[] {
  const text = pdfium.FPDFText_LoadPage(pointer)
  if (text === 0) return []
  try {
    const lines = ['']
    const count = Math.min(pdfium.FPDFText_CountChars(text), MOST_CHARACTERS)
    for (let index = 0; index < count; index += 1) {
      const unit = pdfium.FPDFText_GetUnicode(text, index)
      if (unit === LINE_FEED || unit === CARRIAGE_RETURN) lines.push('')
      else lines[lines.length - 1] += letterOf(unit)
    }
    return lines.map((line) => shownText(line, MOST_CHARACTERS)).filter((line) => line !== '')
  } finally {
    pdfium.FPDFText_ClosePage(text)
  }
}

const letterOf = (unit: number) => (unit > 0 && unit <= 0x10ffff ? String.fromCodePoint(unit) : ' ')

const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

const newLine = (): Line => ({ text: '', box: undefined, size: 0 })

function add(line: Line, unit: number, box: Box | undefined): void {
  line.text += letterOf(unit)
  if (!box) return
  line.size = Math.max(line.size, Math.min(box.bottom - box.top, MOST_POINTS))
  line.box = line.box ? around(line.box, box) : box
}

const MOST_POINTS = 500

const around = (one: Box, other: Box): Box => ({
  left: Math.min(one.left, other.left),
  top: Math.min(one.top, other.top),
  right: Math.max(one.right, other.right),
  bottom: Math.max(one.bottom, other.bottom),
})

/** Where a character stands on the page as it is shown, in points; undefined for one that PDFium put in itself. */
function boxOf(
  { pdfium, pointer, size }: PdfiumPage,
  text: number,
  index: number,
  memory: number,
): Box | undefined {
  if (pdfium.FPDFText_GetLooseCharBox(text, index, memory) === 0) return undefined
  const [left, top, right, bottom] = new Float32Array(pdfium.memory.buffer, memory, 4)
  if (left === right || top === bottom) return undefined
  const one = shownAt(left!, top!)
  const other = shownAt(right!, bottom!)
  return {
    left: Math.min(one.x, other.x),
    top: Math.min(one.y, other.y),
    right: Math.max(one.x, other.x),
    bottom: Math.max(one.y, other.y),
  }

  function shownAt(x: number, y: number) {
    const layout = [size.width * PIXELS_PER_POINT, size.height * PIXELS_PER_POINT] as const
    pdfium.FPDF_PageToDevice(pointer, 0, 0, ...layout, 0, x, y, memory, memory + 4)
    const [deviceX, deviceY] = new Int32Array(pdfium.memory.buffer, memory, 2)
    return { x: deviceX! / PIXELS_PER_POINT, y: deviceY! / PIXELS_PER_POINT }
  }
}

/** Letters hang below their base by about a fifth of their size. */
const BELOW_BASE = 0.2

function shownLine({ text, box, size }: Line): PageText['lines'] {
  const shown = shownText(text, MOST_CHARACTERS)
  if (!shown || !box) return []
  const [x, y] = [box.left, box.bottom - size * BELOW_BASE].map(rounded)
  return [{ text: shown, x: x!, y: y!, width: rounded(box.right - box.left), size: rounded(size) }]
}

const rounded = (points: number) => Math.round(points * 10) / 10
