import type { PublicAddress } from '#server/domain/documents/public-address.ts'
import { drawLine as drawStroke } from '#server/domain/pdf/canvas.ts'
import type { PageSize } from '#server/domain/pdf/page-size.ts'
import { drawDemoNotice } from './demo-notice.ts'
import type { AwaitedSignature, SheetFacts } from './increment.ts'
import {
  COLUMN,
  createPaper,
  drawBand,
  drawFitted,
  drawLine,
  drawQrCode,
  drawSeal,
  INK,
  LETTER,
  MUTED,
  marginOf,
  nextPage,
  type Paper,
  type Rectangle,
  type SheetStyle,
  setLine,
} from './paper.ts'
import { drawAwaitedSignature } from './signature-appearance.ts'
import { widthOf } from './typeface.ts'

const SLOT = { width: 250, height: 76 }
/** Distance between the upper edges of two slots in a column. */
const SLOT_PITCH = 97
/** From the upper edge of the sheet. */
const FIRST_SLOT = 368
/** Below the last slot. */
const FOOT = 57
/** On the highest sheet. A file that we did not write may state any size. */
const MOST_ROWS = 6

/**
 * The rectangles of the signature widgets on a sheet of this size, row by row from the upper left. Letter and A4 have
 * four rows, oficio five, legal six.
 */
export function signatureSlots(size: PageSize): readonly Rectangle[] {
  const top = size.height - FIRST_SLOT
  const left = marginOf(size)
  const room = 1 + Math.floor((top - SLOT.height - FOOT) / SLOT_PITCH)
  const rows = Math.min(MOST_ROWS, Math.max(0, room))
  return Array.from({ length: 2 * rows }, (_, index) => ({
    x: index % 2 === 0 ? left : left + COLUMN - SLOT.width,
    y: top - Math.floor(index / 2) * SLOT_PITCH - SLOT.height,
    ...SLOT,
  }))
}

/**
 * Draws the signature sheets, followed by one page per signer with the appearance of their unsigned field. The
 * slots stay empty: the fields fill them.
 */
export function drawSignatureSheets(
  facts: SheetFacts,
  awaited: readonly AwaitedSignature[],
  { size, fonts }: { size: PageSize; fonts: SheetStyle },
): Paper {
  const sheets = sheetsFor(awaited, size)
  const first = createPaper(size, fonts)
  for (let number = 1; number <= sheets; number += 1)
    drawSheet(number === 1 ? first : nextPage(first, size), facts, { number, of: sheets })
  for (const signer of awaited) drawAwaitedSignature(nextPage(first, SLOT), signer, SLOT)
  return first
}

/** The number of sheets; at least one. */
export const sheetsFor = (awaited: readonly unknown[], size: PageSize) =>
  Math.max(1, Math.ceil(awaited.length / signatureSlots(size).length))

/** A place that is stated for letter size: on other papers as far from the upper edge, in the column. */
const spot = ({ page: { size } }: Paper, x: number, y: number) => ({
  x: marginOf(size) + x,
  y: y + size.height - LETTER.height,
})

function drawSheet(paper: Paper, facts: SheetFacts, place: SheetPlace) {
  if (facts.isDemo) drawDemoNotice(paper)
  drawHead(paper, facts, place)
  drawFacts(paper, facts)
  if (facts.publicAddress) drawCode(paper, facts.publicAddress.url)
  drawLegend(paper, facts.publicAddress)
  if (facts.caution) drawCaution(paper, facts.caution)
}

/** The number of a sheet among several. */
type SheetPlace = { number: number; of: number }

function drawHead(paper: Paper, { office }: SheetFacts, { number, of }: SheetPlace) {
  const { regular, bold } = paper
  const band = { ...spot(paper, 80, 756), width: COLUMN - 80, height: 26 }
  drawBand(paper, band)
  const seal = spot(paper, 0, 760)
  drawSeal(paper, seal.x, seal.y, 68)
  drawLine(paper, 'Hoja de firmas', spot(paper, 80, 707), 22, { font: bold, color: INK })
  if (of > 1) drawLineTo(paper, `Hoja ${number} de ${of}`, spot(paper, COLUMN, 707), 11)
  const officeBox = { width: band.width, lines: 1, size: 11, smallest: 7 }
  drawFitted(paper, office, spot(paper, 80, 691), officeBox, { font: regular, color: MUTED })
  drawRule(paper, 678, 1)
}

function drawFacts(paper: Paper, facts: SheetFacts) {
  const { regular, bold } = paper
  const width = COLUMN - 132
  const { instrument, publicAddress } = facts
  const titleBox = { width, lines: instrument ? 2 : 3, size: 14, smallest: 8.5 }
  drawLabel(paper, facts.kind, spot(paper, 0, 660))
  const titled = { font: bold, color: INK }
  const lastLine = drawFitted(paper, facts.title, spot(paper, 0, 643), titleBox, titled)
  if (instrument) drawInstrument(paper, instrument, { y: lastLine - 14, width })

  const half = width / 2
  const valueBox = { width: half - 12, lines: 1, size: 11, smallest: 6.5 }
  const value = { font: bold, color: INK }
  drawLabel(paper, 'Folio', spot(paper, 0, 585))
  drawFitted(paper, facts.folio, spot(paper, 0, 571), valueBox, value)
  if (publicAddress) {
    drawLabel(paper, 'Código de verificación', spot(paper, half, 585))
    drawFitted(paper, publicAddress.code, spot(paper, half, 571), valueBox, value)
  }

  drawLabel(paper, 'SHA-256 del documento original', spot(paper, 0, 553))
  drawFingerprint(paper, facts.originalSha256, spot(paper, 0, 540), width)

  if (!publicAddress) return
  const urlBox = { width, lines: 2, size: 9, smallest: 6.5 }
  drawLabel(paper, 'Dirección para verificar', spot(paper, 0, 509))
  const url = { font: regular, color: INK, leading: 1.2 }
  drawFitted(paper, publicAddress.url, spot(paper, 0, 497), urlBox, url)
}

/** Placed below the title, however many lines that has. */
function drawInstrument(
  paper: Paper,
  instrument: string,
  { y, width }: { y: number; width: number },
) {
  const box = { width, lines: 2, size: 8.5, smallest: 6.5 }
  const style = { font: paper.regular, color: INK, leading: 1.2 }
  const { x } = spot(paper, 0, y)
  drawFitted(paper, instrument, { x, y }, box, style)
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
  const { x, y: top } = spot(paper, COLUMN - side, 660)
  drawQrCode(paper, url, { x, top, side })
  const hint = 'Verifique aquí este documento'
  const size = 7
  const hintX = x + (side - widthOf(hint, regular, size)) / 2
  setLine(paper, hint, { x: hintX, y: top - side - 18 }, { size, font: regular, color: MUTED })
}

const LEGEND =
  'La impresión en papel de esta hoja y de su documento es una representación impresa. ' +
  'El original válido es el archivo electrónico con las firmas electrónicas que contiene; ' +
  'su autenticidad se comprueba '

function drawLegend(paper: Paper, publicAddress: PublicAddress | null) {
  drawRule(paper, 478, 0.5)
  const box = { width: COLUMN, lines: 2, size: 8.5, smallest: 7 }
  const style = { font: paper.regular, color: MUTED, leading: 1.35 }
  const where = publicAddress
    ? 'en la dirección de verificación o con el código de verificación.'
    : 'con ese archivo y en la notaría que lo expidió.'
  drawFitted(paper, `${LEGEND}${where}`, spot(paper, 0, 463), box, style)
  drawLine(paper, 'Firmas', spot(paper, 0, 432), 11, { font: paper.bold, color: INK })
}

/** On each sheet, right above the signatures. */
function drawCaution(paper: Paper, caution: string) {
  const { x, y } = spot(paper, COLUMN, 432)
  const size = 11
  const style = { font: paper.bold, color: INK }
  drawLine(paper, caution, { x: x - widthOf(caution, paper.bold, size), y }, size, style)
}

function drawLineTo(paper: Paper, text: string, end: { x: number; y: number }, size: number) {
  const x = end.x - widthOf(text, paper.regular, size)
  drawLine(paper, text, { x, y: end.y }, size, { font: paper.regular, color: MUTED })
}

function drawLabel(paper: Paper, text: string, at: { x: number; y: number }) {
  drawLine(paper, text, at, 8, { font: paper.regular, color: MUTED })
}

function drawRule(paper: Paper, y: number, thickness: number) {
  const from = spot(paper, 0, y)
  drawStroke(paper.page, from, { ...from, x: from.x + COLUMN }, { color: INK, width: thickness })
}
