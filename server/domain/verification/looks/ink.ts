import {
  type ContentOperation,
  contentOperations,
  MAX_OPERATIONS,
  MAX_OPERATIONS_OF_SEAL,
} from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, type PdfObject, type PdfStream } from '#server/domain/pdf/object.ts'
import { isPlainlyCoded, MAX_CONTENT } from './content-coding.ts'
import { type Box, IDENTITY, type Matrix } from './geometry.ts'
import { type Graphics, INITIAL } from './graphics.ts'
import { GRAPHICS_OPERATORS } from './graphics-operators.ts'
import { endsOfImages, hasPlainEnd } from './inline-images.ts'
import { lookFonts } from './look-font.ts'
import { type Ink, MOST_PIECES, UNREADABLE } from './marks.ts'
import { hasItsOperands } from './operands.ts'
import { emptyPath } from './path.ts'
import { PATH_OPERATORS } from './path-operators.ts'
import { addMark, named, type OperatorTable, type Pen, type Sheet, spend } from './pen.ts'
import { TEXT_OPERATORS } from './text-operators.ts'
import { drawXObject, inlinePicture } from './xobjects.ts'

/** Where the instructions of a page or a look begin. */
export type Canvas = { readonly matrix: Matrix; readonly clip: Box; readonly isGrouped?: boolean }

/** What the instructions of a look draw on the canvas. */
export function inkOf(document: PdfDocument, look: PdfStream, canvas: Canvas): Ink {
  const resources = entriesOf(document.resolve(look.dictionary.entries.get('Resources')))
  // What readers do not agree about mixes with the page: the look itself begins a group only where it says so.
  const group = entriesOf(document.resolve(look.dictionary.entries.get('Group')))
  const isGrouped = document.resolve(group.get('I')) === true
  const content = () => document.decoded(look, MAX_CONTENT)
  const ink = inkOfContent(
    document,
    content,
    resources,
    { ...canvas, isGrouped },
    MAX_OPERATIONS_OF_SEAL,
  )
  return { ...ink, isOdd: ink.isOdd || !isPlainlyCoded(document, look) }
}

/** What instructions draw with their resources. */
export function inkOfContent(
  document: PdfDocument,
  content: () => Uint8Array,
  resources: ReadonlyMap<string, PdfObject>,
  canvas: Canvas,
  mostInstructions?: number,
): Ink {
  const sheet: Sheet = {
    document,
    fontNamed: lookFonts(document),
    marks: [],
    room: MOST_PIECES,
    mostInstructions,
    isOdd: false,
    isCut: false,
    isUnread: false,
  }
  try {
    draw(sheet, content(), resources, { ...INITIAL, ...canvas }, 0)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return UNREADABLE
    throw error
  }
  const { marks, isOdd, isCut, isUnread } = sheet
  return { marks, isOdd, isCut, isUnread }
}

function draw(
  sheet: Sheet,
  content: Uint8Array,
  resources: ReadonlyMap<string, PdfObject>,
  graphics: Graphics,
  depth: number,
): void {
  const spaces = [...entriesOf(sheet.document.resolve(resources.get('ColorSpace'))).keys()]
  // Readers look for the meaning of a colour in the resources around, too.
  const isRenamed = graphics.isRenamed || spaces.some((key) => /^(?:Default|Device)/.test(key))
  const pen: Pen = {
    sheet,
    resources,
    depth,
    base: graphics.matrix,
    graphics: { ...graphics, isRenamed },
    saved: [],
    path: emptyPath(),
    clips: false,
    isInText: false,
    isStuck: false,
    text: IDENTITY,
    line: IDENTITY,
  }
  if (['DefaultGray', 'DefaultRGB', 'DefaultCMYK'].some((key) => spaces.includes(key)))
    sheet.isOdd = true
  let image = drawUpToImage(pen, content, 0)
  if (image === undefined) return
  const ends = endsOfImages(content)
  for (let at = 0; image !== undefined; ) {
    while (ends[at]! <= image) at++
    const start = ends[at]
    if (start === undefined || !hasPlainEnd(content, image)) sheet.isUnread = true
    if (start === undefined) return
    image = drawUpToImage(pen, content, start)
    // Readers do not agree about which of them is the end.
    const other = ends[at + 1]
    if (other !== undefined && other < (image ?? content.length)) sheet.isUnread = true
  }
}

/** @returns where the head of an inline image begins, if there is one */
function drawUpToImage(pen: Pen, content: Uint8Array, start: number): number | undefined {
  const { sheet } = pen
  let count = 0
  for (const operation of contentOperations(content, start, sheet.mostInstructions)) {
    if (count++ > MAX_OPERATIONS) sheet.document.meter.spend(COST_OF_MORE)
    const operate = Object.hasOwn(OPERATORS, operation.operator)
      ? OPERATORS[operation.operator]
      : undefined
    if (!hasItsOperands(operation)) {
      sheet.isOdd = true
      sheet.isCut = true
    } else if (operate) {
      if (!isInItsPlace(pen, operation)) sheet.isOdd = true
      operate(pen, numbersOf(operation), operation)
    } else if (!WITHOUT_EFFECT.has(operation.operator)) sheet.isOdd = true
    if (operation.operator !== 'BI') continue
    // The data of an inline image is no syntax.
    sheet.isCut = true
    addMark(sheet, inlinePicture(pen.graphics))
    return operation.end
  }
  return undefined
}

/** In bytes, of each instruction beyond the usual number: many looks may draw the same seal. */
const COST_OF_MORE = 50

/** What is no number reads as NaN, and whatever is drawn with it fits nowhere. */
const numbersOf = ({ operands }: ContentOperation) =>
  operands.map((operand) => (typeof operand === 'number' ? operand : Number.NaN))

const OPERATORS: OperatorTable = {
  ...GRAPHICS_OPERATORS,
  ...PATH_OPERATORS,
  ...TEXT_OPERATORS,
  Do: (pen, _, { operands: [name] }) => {
    const form = drawXObject(pen, named(pen, 'XObject', name))
    if (!form) return
    // A form that draws nothing is read as well.
    spend(pen.sheet, 1 + Math.ceil(form.content.length / BYTES_IN_PIECE))
    draw(pen.sheet, form.content, form.resources, form.graphics, pen.depth + 1)
  },
}

/** Instructions without an effect, as long as ten lines. */
const BYTES_IN_PIECE = 100

const WITHOUT_EFFECT = new Set('J ri i BMC EMC MP DP BX EX'.split(' '))

/** Readers do not agree about where letters stand that are written outside of a text, or after a state saved in it. */
function isInItsPlace({ isInText, saved }: Pen, { operator }: ContentOperation): boolean {
  if (operator === 'Q' && saved.length === 0) return false
  return isInText ? !OUTSIDE_TEXT.has(operator) : !INSIDE_TEXT.has(operator)
}

/** @see ISO 32000-2:2020, 8.2, figure 9 */
const OUTSIDE_TEXT = new Set('q Q cm BT'.split(' '))
const INSIDE_TEXT = new Set(['ET', 'Td', 'TD', 'Tm', 'T*', 'Tj', 'TJ', "'", '"'])
