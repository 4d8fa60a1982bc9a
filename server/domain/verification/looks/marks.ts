import type { PdfStream } from '#server/domain/pdf/object.ts'
import type { Lightness } from './colour.ts'
import type { Arc, Box, Matrix, Point, Segment } from './geometry.ts'
import type { LookFont } from './look-font.ts'

/** Letters that one instruction writes. */
export type Run = {
  readonly kind: 'text'
  /** Undefined when the font does not say which letters they are. */
  readonly text: string | undefined
  /** Its letters stand beside each other and beside those before: readers stack some without a width. */
  readonly isApart: boolean
  readonly letters: number
  /** As the instruction has them. */
  readonly codes: Uint8Array
  /** Where the first letter stands. */
  readonly start: Point
  /** How far the last letter reaches to the right, if its letters are as narrow, or as wide, as letters are. */
  readonly leastEnd: number
  readonly mostEnd: number
  /** The same, by the widths that the font states, else by usual ones. */
  readonly likelyEnd: number
  /** The longer side of the square that a letter is made in, however it is turned. */
  readonly reach: number
  /** Where it ends by the likely widths, in whatever direction it is written. */
  readonly end: Point
  /** How much longer or shorter it may be, because the font does not state its widths. */
  readonly slack: number
  /** What is added behind each letter, and behind each blank too, in parts of the size. */
  readonly gaps: { readonly letter: number; readonly blank: number }
  /** The height of the letters, and how much wider they are drawn than they are made. */
  readonly size: number
  readonly stretch: number
  /** Of the square that a letter is made in: along its line, and up from it. */
  readonly sides: readonly [along: Point, up: Point]
  /** Neither turned nor slanted nor mirrored. */
  readonly isUpright: boolean
  /** @see ISO 32000-2:2020, table 104 */
  readonly mode: number
  readonly lineWidth: number
  readonly lightness: Lightness
  /** Of the lines around the letters. */
  readonly outline: Lightness
  /**
   * Modes, transfer functions or other meanings of colours may make it darker than its lightness, or it has other colours:
   * those of the instructions of its letters, or of what is painted through these.
   */
  readonly isRecoloured: boolean
  readonly font: LookFont | undefined
  readonly clip: Box
  readonly isOpaque: boolean
}

/** How large the letters of a run are, by the sides of their square, and whether they stand upright. */
export const shapeOf = ([[width, slope], [slant, height]]: Run['sides']) => ({
  size: height,
  stretch: width / height,
  isUpright: width > 0 && height > 0 && Math.abs(slope) + Math.abs(slant) < height / 100,
})

/** Ink that lets through what is below it: only much of it hides something. */
export type Trace = {
  readonly box: Box
  /** Which part of the box it blackens. */
  readonly part: number
}

/** An area, a line or a picture. */
export type Paint = {
  readonly kind: 'fill' | 'stroke' | 'picture'
  readonly segments: readonly Segment[]
  /** Around each curve. */
  readonly curves: readonly Box[]
  /** The control points of the curves, but of those that begin nowhere. */
  readonly arcs: readonly Arc[]
  /** Of an area: what closes its open parts. */
  readonly closings: readonly Segment[]
  /** Of a line: how far its sharp corners reach. */
  readonly spikes: readonly Segment[]
  /** Of a picture that is mostly transparent: which part of each box is not. */
  readonly shown?: readonly Trace[]
  /** Of a picture that shows its samples as they are: its object, and where its unit square is drawn. */
  readonly image?: { readonly stream: PdfStream; readonly matrix: Matrix }
  /** Its colours change inside of it: a band has two straight edges, all others may draw digits. */
  readonly shading?: 'band' | 'shaded'
  /** Without the width of a line. */
  readonly box: Box
  readonly lineWidth: number
  readonly isDashed: boolean
  /** Of an area: not filled where it overlaps itself. @see ISO 32000-2:2020, 8.5.3.3.3 */
  readonly isEvenOdd: boolean
  readonly lightness: Lightness
  /** As of letters. */
  readonly isRecoloured: boolean
  readonly clip: Box
  /** Neither transparent nor mixed with what is below. */
  readonly isOpaque: boolean
  /** What is below can hardly be seen. */
  readonly covers: boolean
}

/** One that hides its place; without lines and corners. */
export const plainPaint = (kind: Paint['kind'], box: Box, clip: Box): Paint => ({
  kind,
  segments: [],
  curves: [],
  closings: [],
  arcs: [],
  spikes: [],
  box,
  lineWidth: 0,
  isDashed: false,
  isEvenOdd: false,
  lightness: undefined,
  isRecoloured: false,
  clip,
  isOpaque: true,
  covers: true,
})

/** What may show anything, letters too, and hide nothing. */
export const unreadPaint = (box: Box, clip: Box): Paint => ({
  ...plainPaint('picture', box, clip),
  isOpaque: false,
  covers: false,
})

/** Of a gradient that shows nothing but its colours: letters that are written on it are seen. */
export const groundPaint = (box: Box, clip: Box): Paint => ({
  ...plainPaint('fill', box, clip),
  covers: false,
})

/** Of a gradient: it has no edges but its own. */
export const shadedPaint = (box: Box, clip: Box, shading: 'band' | 'shaded'): Paint => ({
  ...groundPaint(box, clip),
  shading,
})

export type Mark = Run | Paint

/** In pieces: what the instructions of a page, or of a look, may draw, and what is kept in memory of a document. */
export const MOST_PIECES = 300_000

/** How many lines and curves a mark has, and the mark itself. */
export const piecesIn = (mark: Mark) =>
  1 + (mark.kind === 'text' ? 0 : mark.segments.length + mark.curves.length)

export const piecesOf = (marks: readonly Mark[]) =>
  marks.reduce((sum, mark) => sum + piecesIn(mark), 0)

/** What a stream of instructions draws, in its order. */
export type Ink = {
  readonly marks: readonly Mark[]
  /** It uses something whose effect is not computed here: patterns, shadings, odd clips, layers, masks. */
  readonly isOdd: boolean
  /**
   * It draws more than `marks`: its instructions could not be read to their end, or letters and masks of which it is not
   * computed where they stand.
   */
  readonly isCut: boolean
  /** Where it goes on behind some of its instructions is not known: it draws letters that are not among `marks`. */
  readonly isUnread: boolean
}

/** Of a stream that cannot be read to its end. */
export const UNREADABLE: Ink = { marks: [], isOdd: true, isCut: true, isUnread: true }

export const runsOf = ({ marks }: Pick<Ink, 'marks'>): Run[] =>
  marks.filter((mark) => mark.kind === 'text')

export const paintsOf = ({ marks }: Pick<Ink, 'marks'>): Paint[] =>
  marks.filter((mark) => mark.kind !== 'text')
