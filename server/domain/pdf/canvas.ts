import { deflateSync } from 'node:zlib'
import { fromLatin1 } from './characters.ts'
import type { ObjectStore } from './new-document.ts'
import { array, dictionary, name, type PdfObject, type PdfRef } from './object.ts'
import type { NewStream } from './serialize.ts'
import type { TrueTypeFont } from './true-type.ts'

/** Red, green and blue, from 0 to 1. */
export type Color = readonly [number, number, number]

/** In points, y upwards from the lower left corner. */
export type Place = { readonly x: number; readonly y: number }

/** A font as the resources of a page call it. */
export type NamedFont = { readonly name: string; readonly font: TrueTypeFont }

export type Stroke = { color: Color; width: number; dashes?: readonly number[] }
export type Paint = { fill?: Color; stroke?: Stroke }

/** What is drawn on a page, in the order in which it is drawn. */
export type Canvas = {
  readonly size: { readonly width: number; readonly height: number }
  readonly operators: string[]
  /** Colours become the grey of their brightness. */
  readonly isGrey: boolean
}

export const createCanvas = (size: Canvas['size'], isGrey = false): Canvas => ({
  size,
  operators: [],
  isGrey,
})

/** A number as a page states it: a thousandth of a point is less than any printer shows. */
export const decimal = (value: number): string => String(Math.round(value * 1000) / 1000 + 0)

const numbers = (...values: readonly number[]) => values.map(decimal).join(' ')

/**
 * A line of text; `turn` in radians about its beginning. Characters that the font does not have are not drawn.
 *
 * @see ISO 32000-2:2020, 9.4
 */
export function drawText(
  { operators, isGrey }: Canvas,
  text: string,
  { x, y, turn = 0 }: Place & { turn?: number },
  { font: { name: fontName, font }, size, color }: { font: NamedFont; size: number; color: Color },
): void {
  const [cos, sin] = turn === 0 ? [1, 0] : [Math.cos(turn), Math.sin(turn)]
  let codes = ''
  for (const sign of text) codes += codeOf(font, sign.codePointAt(0)!)
  operators.push(
    `BT ${fillOf(color, isGrey)} /${fontName} ${decimal(size)} Tf ${numbers(cos, sin, -sin, cos, x, y)} Tm <${codes}> Tj ET`,
  )
}

const codes = new WeakMap<TrueTypeFont, Map<number, string>>()

function codeOf(font: TrueTypeFont, character: number): string {
  let own = codes.get(font)
  if (!own) {
    own = new Map(
      [...font.glyphs].map(([code, { id }]) => [code, id.toString(16).padStart(4, '0')]),
    )
    codes.set(font, own)
  }
  return own.get(character) ?? ''
}

export function drawLine(
  { operators, isGrey }: Canvas,
  from: Place,
  to: Place,
  stroke: Stroke,
): void {
  const { x, y } = from
  operators.push(
    `q ${strokeOperators(stroke, isGrey)} ${numbers(x, y)} m ${numbers(to.x, to.y)} l S Q`,
  )
}

/** Its lower left corner at `x`, `y`; `turn` in radians about it. */
export function drawRectangle(
  { operators, isGrey }: Canvas,
  { x, y, width, height, turn = 0 }: Place & { width: number; height: number; turn?: number },
  paint: Paint,
): void {
  const [cos, sin] = [Math.cos(turn), Math.sin(turn)]
  operators.push(
    `q ${numbers(cos, sin, -sin, cos, x, y)} cm ${paintOperators(paint, isGrey)} 0 0 ${numbers(width, height)} re ${paintOperator(paint)} Q`,
  )
}

/** What is drawn elsewhere, by the name that the resources give it, with its origin at `x`, `y`. */
export function drawObject(
  { operators }: Canvas,
  objectName: string,
  { x, y, scale }: Place & { scale: number },
): void {
  operators.push(`q ${numbers(scale, 0, 0, scale, x, y)} cm /${objectName} Do Q`)
}

/**
 * Path operators whose y runs downwards, with their origin at `x`, `y`.
 *
 * @see ISO 32000-2:2020, 8.5
 */
export function drawPath(
  { operators, isGrey }: Canvas,
  path: string,
  { x, y, scale }: Place & { scale: number },
  paint: PathPaint,
): void {
  operators.push(
    `q ${numbers(scale, 0, 0, -scale, x, y)} cm`,
    paintedPath(path, paint, isGrey),
    'Q',
  )
}

export type PathPaint = Paint & { isEvenOdd?: boolean }

/** A path in the coordinates that hold, with what paints it. */
export const paintedPath = (path: string, paint: PathPaint, isGrey: boolean) =>
  `${paintOperators(paint, isGrey)}\n${path}\n${paintOperator(paint)}`

const brightnessOf = ([red, green, blue]: Color) => 0.299 * red + 0.587 * green + 0.114 * blue

const fillOf = (color: Color, isGrey: boolean) =>
  isGrey ? `${numbers(brightnessOf(color))} g` : `${numbers(...color)} rg`

const strokeOf = (color: Color, isGrey: boolean) =>
  isGrey ? `${numbers(brightnessOf(color))} G` : `${numbers(...color)} RG`

const strokeOperators = ({ color, width, dashes = [] }: Stroke, isGrey: boolean) =>
  `${strokeOf(color, isGrey)} ${decimal(width)} w [${numbers(...dashes)}] 0 d`

const paintOperators = ({ fill, stroke }: Paint, isGrey: boolean) =>
  [fill && fillOf(fill, isGrey), stroke && strokeOperators(stroke, isGrey)]
    .filter(Boolean)
    .join(' ')

function paintOperator({ fill, stroke, isEvenOdd = false }: PathPaint): string {
  const operator = fill ? (stroke ? 'B' : 'f') : 'S'
  return isEvenOdd && fill ? `${operator}*` : operator
}

export type Resources = Readonly<Record<'Font' | 'XObject', Readonly<Record<string, PdfRef>>>>

const resourcesOf = ({ Font, XObject }: Resources): PdfObject =>
  dictionary({ Font: dictionary(Font), XObject: dictionary(XObject) })

/** A page that belongs to no page tree yet. */
export function addPage(store: ObjectStore, canvas: Canvas, resources: Resources): PdfRef {
  return store.add(
    dictionary({
      Type: name('Page'),
      Resources: resourcesOf(resources),
      MediaBox: boxOf(canvas),
      Contents: store.add(contentOf(canvas, {})),
    }),
  )
}

/** The same as something that is drawn as a whole. @see ISO 32000-2:2020, 8.10 */
export function addForm(store: ObjectStore, canvas: Canvas, resources: Resources): PdfRef {
  return store.add(
    contentOf(canvas, {
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: boxOf(canvas),
      Matrix: array([1, 0, 0, 1, 0, 0]),
      Resources: resourcesOf(resources),
    }),
  )
}

const boxOf = ({ size: { width, height } }: Canvas) => array([0, 0, width, height])

/** Less is gained by looking for more. */
const QUICK = { level: 3 }

function contentOf({ operators }: Canvas, entries: Record<string, PdfObject>): NewStream {
  const data = new Uint8Array(deflateSync(fromLatin1(operators.join('\n')), QUICK))
  return {
    kind: 'new-stream',
    dictionary: dictionary({ ...entries, Filter: name('FlateDecode') }),
    data,
  }
}
