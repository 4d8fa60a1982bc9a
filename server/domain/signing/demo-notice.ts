import { type Color, drawRectangle } from '#server/domain/pdf/canvas.ts'
import { type Paper, setLine, WHITE } from './paper.ts'
import { widthOf } from './typeface.ts'

const GROUND: Color = [0.62, 0.11, 0.08]

/**
 * The notice of a demo at the upper and lower edge of the page. White on dark, because copying keeps it. It covers no
 * text, and no signature field covers it: a signature that hides a part of the notice would make the file invalid.
 */
export function drawDemoNotice(paper: Paper): void {
  const { page, bold } = paper
  const { width, height: top } = page.size
  const text = 'DOCUMENTO DE PRUEBA · SIN VALIDEZ'
  const [size, height] = [9, 16]
  const x = (width - widthOf(text, bold, size)) / 2
  for (const y of [0, top - height]) {
    drawRectangle(page, { x: 0, y, width, height }, { fill: GROUND })
    setLine(paper, text, { x, y: y + 4.8 }, { size, font: bold, color: WHITE })
  }
}
