import { drawLine as drawStroke } from '#server/domain/pdf/canvas.ts'
import { drawDemoNotice } from './demo-notice.ts'
import type { AwaitedSignature, SheetFacts } from './increment.ts'
import {
  createPaper,
  drawBand,
  drawFitted,
  drawLine,
  drawQrCode,
  drawSeal,
  INK,
  LETTER,
  MUTED,
  nextPage,
  type Paper,
  type Rectangle,
  type SheetFonts,
  setLine,
} from './paper.ts'
import { drawAwaitedSignature } from './signature-appearance.ts'
import { widthOf } from './typeface.ts'

const MARGIN = 48
const CONTENT_WIDTH = LETTER.width - 2 * MARGIN

const SLOT = { width: 250, height: 76 }
const SLOT_ROWS = 4
/** Distance between the upper edges of two slots in a column. */
const SLOT_PITCH = 97
const FIRST_SLOT_TOP = 424

/** The rectangles of the signature widgets, by column from the upper left. */
export const SIGNATURE_SLOTS: readonly Rectangle[] = Array.from(
  { length: 2 * SLOT_ROWS },
  (_, index) => ({
    x: index % 2 === 0 ? MARGIN : LETTER.width - MARGIN - SLOT.width,
    y: FIRST_SLOT_TOP - Math.floor(index / 2) * SLOT_PITCH - SLOT.height,
    ...SLOT,
  }),
)

/**
 * Draws the signature sheets, followed by one page per signer with the appearance of their unsigned field. The
 * slots stay empty: the fields fill them.
 */
export function drawSignatureSheets(
  facts: SheetFacts,
  awaited: readonly AwaitedSignature[],
  fonts: SheetFonts,
): Paper {
  const sheets = sheetsFor(awaited)
  const first = createPaper(LETTER, fonts)
  for (let number = 1; number <= sheets; number += 1)
    drawSheet(number === 1 ? first : nextPage(first, LETTER), facts, { number, of: sheets })
  for (const signer of awaited) drawAwaitedSignature(nextPage(first, SLOT), signer, SLOT)
  return first
}

/** The number of sheets; at least one. */
export const sheetsFor = (awaited: readonly AwaitedSignature[]) =>
  Math.max(1, Math.ceil(awaited.length / SIGNATURE_SLOTS.length))

function drawSheet(paper: Paper, facts: SheetFacts, place: SheetPlace) {
  if (facts.isDemo) drawDemoNotice(paper)
  drawHead(paper, facts, place)
  drawFacts(paper, facts)
  drawCode(paper, facts.verificationUrl)
  drawLegend(paper)
}

/** The number of a sheet among several. */
type SheetPlace = { number: number; of: number }

function drawHead(paper: Paper, { office }: SheetFacts, { number, of }: SheetPlace) {
  const { regular, bold } = paper
  const band = { x: MARGIN + 80, y: 756, width: CONTENT_WIDTH - 80, height: 26 }
  drawBand(paper, band)
  drawSeal(paper, MARGIN, 760, 68)
  drawLine(paper, 'Hoja de firmas', { x: band.x, y: 707 }, 22, { font: bold, color: INK })
  if (of > 1)
    drawLineTo(paper, `Hoja ${number} de ${of}`, { right: LETTER.width - MARGIN, y: 707 }, 11)
  const officeBox = { width: band.width, lines: 1, size: 11, smallest: 7 }
  drawFitted(paper, office, { x: band.x, y: 691 }, officeBox, { font: regular, color: MUTED })
  drawRule(paper, 678, 1)
}

function drawFacts(paper: Paper, facts: SheetFacts) {
  const { regular, bold } = paper
  const width = CONTENT_WIDTH - 132
  const { instrument } = facts
  const titleBox = { width, lines: instrument ? 2 : 3, size: 14, smallest: 8.5 }
  drawLabel(paper, facts.kind, { x: MARGIN, y: 660 })
  const titled = { font: bold, color: INK }
  const lastLine = drawFitted(paper, facts.title, { x: MARGIN, y: 643 }, titleBox, titled)
  if (instrument) drawInstrument(paper, instrument, { y: lastLine - 14, width })

  const half = width / 2
  const valueBox = { width: half - 12, lines: 1, size: 11, smallest: 6.5 }
  const value = { font: bold, color: INK }
  drawLabel(paper, 'Folio', { x: MARGIN, y: 585 })
  drawFitted(paper, facts.folio, { x: MARGIN, y: 571 }, valueBox, value)
  drawLabel(paper, 'Código de verificación', { x: MARGIN + half, y: 585 })
  drawFitted(paper, facts.verificationCode, { x: MARGIN + half, y: 571 }, valueBox, value)

  drawLabel(paper, 'SHA-256 del documento original', { x: MARGIN, y: 553 })
  drawFingerprint(paper, facts.originalSha256, { x: MARGIN, y: 540 }, width)

  const urlBox = { width, lines: 2, size: 9, smallest: 6.5 }
  drawLabel(paper, 'Dirección para verificar', { x: MARGIN, y: 509 })
  const url = { font: regular, color: INK, leading: 1.2 }
  drawFitted(paper, facts.verificationUrl, { x: MARGIN, y: 497 }, urlBox, url)
}

/** Placed below the title, however many lines that has. */
function drawInstrument(
  paper: Paper,
  instrument: string,
  { y, width }: { y: number; width: number },
) {
  const box = { width, lines: 2, size: 8.5, smallest: 6.5 }
  const style = { font: paper.regular, color: INK, leading: 1.2 }
  drawFitted(paper, instrument, { x: MARGIN, y }, box, style)
}

/** Groups of four in columns, for comparison by eye. */
function drawFingerprint(
  paper: Paper,
  sha256: string,
  { x, y }: { x: number; y: number },
  width: number,
) {
  const groups = sha256.match(/.{1,4}/g) ?? []
  groups.forEach((group, index) => {
    const at = { x: x + ((index % 8) * width) / 8, y: y - Math.floor(index / 8) * 13 }
    drawLine(paper, group, at, 9.5, { font: paper.regular, color: INK })
  })
}

function drawCode(paper: Paper, url: string) {
  const { regular } = paper
  const side = 100
  const x = LETTER.width - MARGIN - side
  const top = 660
  drawQrCode(paper, url, { x, top, side })
  const hint = 'Verifique aquí este documento'
  const size = 7
  const hintX = x + (side - widthOf(hint, regular, size)) / 2
  setLine(paper, hint, { x: hintX, y: top - side - 18 }, { size, font: regular, color: MUTED })
}

const LEGEND =
  'La impresión en papel de esta hoja y de su documento es una representación impresa. ' +
  'El original válido es el archivo electrónico con las firmas electrónicas que contiene; ' +
  'su autenticidad se comprueba en la dirección de verificación o con el código de verificación.'

function drawLegend(paper: Paper) {
  drawRule(paper, 478, 0.5)
  const box = { width: CONTENT_WIDTH, lines: 2, size: 8.5, smallest: 7 }
  const style = { font: paper.regular, color: MUTED, leading: 1.35 }
  drawFitted(paper, LEGEND, { x: MARGIN, y: 463 }, box, style)
  drawLine(paper, 'Firmas', { x: MARGIN, y: 432 }, 11, { font: paper.bold, color: INK })
}

function drawLineTo(
  paper: Paper,
  text: string,
  { right, y }: { right: number; y: number },
  size: number,
) {
  const x = right - widthOf(text, paper.regular, size)
  drawLine(paper, text, { x, y }, size, { font: paper.regular, color: MUTED })
}

function drawLabel(paper: Paper, text: string, at: { x: number; y: number }) {
  drawLine(paper, text, at, 8, { font: paper.regular, color: MUTED })
}

function drawRule({ page }: Paper, y: number, thickness: number) {
  const from = { x: MARGIN, y }
  drawStroke(page, from, { ...from, x: LETTER.width - MARGIN }, { color: INK, width: thickness })
}
