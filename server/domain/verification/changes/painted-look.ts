import { contentOperations } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isArray,
  isName,
  isNamed,
  isStream,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { fontNamed } from '#server/domain/verification/looks/named-fonts.ts'
import { hasItsOperands } from '#server/domain/verification/looks/operands.ts'

/** What an appearance puts on a page. */
export type PaintedLook = {
  /** Text, pictures or shadings: what could say something of its own. */
  readonly speaks: boolean
  /** Areas that hide what is below them; those that only darken it do not count. */
  readonly covers: boolean
  /** How often it paints: areas, lines, text, pictures. */
  readonly strokes: number
  /** Of the widest stroke, in the units of the page if the appearance is not enlarged. */
  readonly widestStroke: number
}

const MAX_APPEARANCE = 1 << 20
const MAX_DEPTH = 4

const WRITING = new Set(['Tj', 'TJ', "'", '"'])
/** A picture and a shading hide what is below them, too. */
const PICTURING = new Set(['BI', 'sh'])
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])

/** The look of an appearance; undefined when it cannot be read. */
export function paintedLook(document: PdfDocument, form: PdfStream): PaintedLook | undefined {
  try {
    return lookOf(document, form, UNTOUCHED, 0)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

/** `scale`: how much larger than its own units it is drawn, at most. `drawsLetters`: by instructions, as a font of type 3 does. */
type Graphics = { multiplies: boolean; width: number; scale: number; drawsLetters: boolean }

const UNTOUCHED: Graphics = { multiplies: false, width: 1, scale: 1, drawsLetters: false }
const NOTHING: PaintedLook = { speaks: false, covers: false, strokes: 0, widestStroke: 0 }
const EVERYTHING: PaintedLook = { speaks: true, covers: true, strokes: 1, widestStroke: Infinity }

function lookOf(
  document: PdfDocument,
  form: PdfStream,
  inherited: Graphics,
  depth: number,
): PaintedLook {
  if (depth > MAX_DEPTH) return EVERYTHING
  const resources = entriesOf(document.resolve(form.dictionary.entries.get('Resources')))
  const named = (kind: string, name: PdfObject | undefined) =>
    isName(name)
      ? document.resolve(entriesOf(document.resolve(resources.get(kind))).get(name.value))
      : null
  let graphics = inherited
  const saved: Graphics[] = []
  let look = NOTHING
  for (const operation of contentOperations(document.decoded(form, MAX_APPEARANCE))) {
    const { operator, operands } = operation
    const [first] = operands
    if (!hasItsOperands(operation)) return EVERYTHING
    if (operator === 'q') saved.push(graphics)
    if (operator === 'Q') graphics = saved.pop() ?? inherited
    if (operator === 'w') graphics = { ...graphics, width: typeof first === 'number' ? first : 1 }
    if (operator === 'cm')
      graphics = { ...graphics, scale: graphics.scale * enlargementOf(operands) }
    if (operator === 'gs') graphics = withState(document, graphics, named('ExtGState', first))
    if (operator === 'Tf')
      graphics = { ...graphics, drawsLetters: isDrawn(fontNamed(document, resources, first)) }
    look = both(
      look,
      operator === 'Do'
        ? drawn(document, named('XObject', first), graphics, depth)
        : painted(operator, graphics),
    )
  }
  return look

  function isDrawn(font: PdfObject | undefined): boolean {
    return isNamed(document.resolve(entriesOf(document.resolve(font)).get('Subtype')), 'Type3')
  }
}

function painted(operator: string, { multiplies, drawsLetters, ...graphics }: Graphics) {
  const [writes, pictures] = [WRITING.has(operator), PICTURING.has(operator)]
  const [fills, strokes] = [FILLING.has(operator), STROKING.has(operator)]
  return {
    speaks: writes || pictures,
    covers: (fills && !multiplies) || pictures || (writes && drawsLetters),
    strokes: writes || pictures || fills || strokes ? 1 : 0,
    widestStroke: strokes && !multiplies ? graphics.width * graphics.scale : 0,
  }
}

const both = (a: PaintedLook, b: PaintedLook): PaintedLook => ({
  speaks: a.speaks || b.speaks,
  covers: a.covers || b.covers,
  strokes: a.strokes + b.strokes,
  widestStroke: Math.max(a.widestStroke, b.widestStroke),
})

function drawn(
  document: PdfDocument,
  object: PdfObject,
  graphics: Graphics,
  depth: number,
): PaintedLook {
  if (object === null) return NOTHING
  const isForm = isStream(object) && isNamed(object.dictionary.entries.get('Subtype'), 'Form')
  if (!isForm) return EVERYTHING
  const matrix = document.resolve(object.dictionary.entries.get('Matrix'))
  const scale = isArray(matrix) ? graphics.scale * enlargementOf(matrix.items) : graphics.scale
  return lookOf(document, object, { ...graphics, scale }, depth + 1)
}

/** @see ISO 32000-2:2020, table 57, and 11.3.5.2: what is multiplied stays legible below */
function withState(document: PdfDocument, graphics: Graphics, state: PdfObject): Graphics {
  const entries = entriesOf(state)
  const written = document.resolve(entries.get('BM'))
  const mode = isArray(written) ? document.resolve(written.items[0]) : written
  const width = document.resolve(entries.get('LW'))
  return {
    ...graphics,
    multiplies: mode === null ? graphics.multiplies : isNamed(mode, 'Multiply'),
    width: typeof width === 'number' ? width : graphics.width,
  }
}

const enlargementOf = (matrix: readonly PdfObject[]) =>
  Math.max(
    1,
    ...matrix.slice(0, 4).map((value) => (typeof value === 'number' ? Math.abs(value) : Infinity)),
  )

/** Whether readers that draw a widget themselves give it a background or a border. @see ISO 32000-2:2020, table 192 */
export function hasColours(document: PdfDocument, widget: ReadonlyMap<string, PdfObject>): boolean {
  const colours = entriesOf(document.resolve(widget.get('MK')))
  return ['BG', 'BC'].some((key) => {
    const colour = document.resolve(colours.get(key))
    return isArray(colour) && colour.items.length > 0
  })
}
