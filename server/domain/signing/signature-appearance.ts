import { formatInstant, type Instant } from '../time.ts'
import {
  createPaper,
  drawFitted,
  drawLine,
  drawSeal,
  finishPaper,
  GREEN,
  INK,
  type Paper,
  type SheetFonts,
} from './paper.ts'
import type { SignerCaption } from './prepare.ts'

/**
 * What a signature shows in its field, as a PDF of one page of exactly `size` points. The same caption at
 * the same time gives the same bytes. Nothing is painted behind it: the field may lie on a printed ground.
 */
export async function renderSignatureAppearance(
  caption: SignerCaption,
  at: Instant,
  zone: string,
  size: { width: number; height: number },
  fonts: SheetFonts,
): Promise<Uint8Array> {
  const paper = await createPaper(size, fonts, [caption, at, zone, size])
  const seal = Math.min(size.height * 0.62, size.width * 0.2)
  const top = size.height - (size.height - seal) / 2 + 5
  drawSeal(paper, 6, top, seal)
  const mark = 'e.firma'
  const markSize = Math.max(5, seal * 0.17)
  const markX = 6 + (seal - paper.bold.widthOfTextAtSize(mark, markSize)) / 2
  drawLine(paper, mark, { x: markX, y: top - seal - markSize - 1 }, markSize, {
    font: paper.bold,
    color: GREEN,
  })

  const x = seal + 14
  const width = size.width - x - 6
  const name = { font: paper.bold, color: INK, leading: 1.1 }
  const nameBox = { width, lines: 2, size: 10, smallest: 6 }
  const belowName = drawFitted(paper, caption.name, { x, y: size.height - 14 }, nameBox, name)
  const character = { font: paper.regular, color: INK, leading: 1.1 }
  const characterBox = { width, lines: 2, size: 7.5, smallest: 5.5 }
  const characterAt = { x, y: belowName - 10.5 }
  const below = drawFitted(paper, caption.character, characterAt, characterBox, character)
  drawDetails(paper, details(caption, at, zone), { x, y: below }, width)
  return finishPaper(paper)
}

/** One line each, as far apart as the room down to the lower edge allows. */
function drawDetails(
  paper: Paper,
  lines: readonly string[],
  below: { x: number; y: number },
  width: number,
) {
  const pitch = Math.min(10.5, (below.y - 6) / lines.length)
  const style = { font: paper.regular, color: INK }
  const box = { width, lines: 1, size: Math.min(7, pitch), smallest: 4.5 }
  lines.forEach((line, index) => {
    drawFitted(paper, line, { x: below.x, y: below.y - (index + 1) * pitch }, box, style)
  })
}

function details(caption: SignerCaption, at: Instant, zone: string): string[] {
  const number = caption.certificateNumber.replace(/(.{4})(?=.)/g, '$1 ')
  const lines = [`Certificado ${number}`, `Firmado el ${formatInstant(at, zone)}`]
  return caption.rfc ? [`RFC ${caption.rfc}`, ...lines] : lines
}
