import type { ContentOperation } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { entriesOf, isName, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Box, Matrix } from './geometry.ts'
import type { Graphics, Pattern } from './graphics.ts'
import type { lookFonts } from './look-font.ts'
import { groundPaint, type Mark, piecesIn, shadedPaint, unreadPaint } from './marks.ts'
import type { Path } from './path.ts'

/** What is drawn, from all streams that one look is made of. */
export type Sheet = {
  readonly document: PdfDocument
  readonly fontNamed: ReturnType<typeof lookFonts>
  readonly marks: Mark[]
  /** How many pieces more may be drawn. */
  room: number
  /** How many instructions one stream may have; undefined for the usual number. */
  readonly mostInstructions: number | undefined
  /** As in `Ink`. */
  isOdd: boolean
  isCut: boolean
  isUnread: boolean
}

/** @throws {PdfError} `too-complex` */
export function addMark(sheet: Sheet, mark: Mark): void {
  spend(sheet, piecesIn(mark))
  sheet.marks.push(mark)
}

/** What is seen in the place of an area whose colour is no single one. @throws {PdfError} `too-complex` */
export function addShown({ sheet, graphics: { clip } }: Pen, box: Box, shows?: Pattern): void {
  if (shows === 'unread') addMark(sheet, unreadPaint(box, clip))
  else if (shows === 'ground') addMark(sheet, groundPaint(box, clip))
  else if (shows) addMark(sheet, shadedPaint(box, clip, shows))
}

/** @throws {PdfError} `too-complex` */
export function spend(sheet: Sheet, pieces: number): void {
  sheet.room -= pieces
  if (sheet.room < 0) throw new PdfError('too-complex', 'the instructions draw too much')
}

/** The state of one content stream. */
export type Pen = {
  readonly sheet: Sheet
  readonly resources: ReadonlyMap<string, PdfObject>
  readonly depth: number
  /** Where its instructions begin: patterns stand still whatever these do. */
  readonly base: Matrix
  graphics: Graphics
  readonly saved: Graphics[]
  path: Path
  clips: boolean
  /** Between BT and ET. */
  isInText: boolean
  /** Where the next letter stands is not the same for all readers, until an instruction says it. */
  isStuck: boolean
  /** Where the next letters stand, and where their line begins. */
  text: Matrix
  line: Matrix
}

/** What an operator does. Operands that are no numbers are NaN among the numbers. */
export type Operator = (pen: Pen, numbers: readonly number[], operation: ContentOperation) => void

export type OperatorTable = Readonly<Record<string, Operator>>

/** Changes parameters of the graphics state. */
export const set =
  (change: (numbers: readonly number[]) => Partial<Graphics>): Operator =>
  (pen, numbers) => {
    pen.graphics = { ...pen.graphics, ...change(numbers) }
  }

/** A named resource. @see ISO 32000-2:2020, 7.8.3 */
export const named = (
  { sheet: { document }, resources }: Pen,
  kind: string,
  name: PdfObject | undefined,
) =>
  isName(name)
    ? document.resolve(entriesOf(document.resolve(resources.get(kind))).get(name.value))
    : null

/** How much larger a matrix draws lines, at most. */
export const scaleOf = ([a, b, c, d]: Matrix) => Math.max(Math.hypot(a, b), Math.hypot(c, d))

export const isMatrix = (numbers: readonly number[]): numbers is Matrix => numbers.length === 6
