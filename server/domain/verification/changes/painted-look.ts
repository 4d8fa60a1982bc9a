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

/** What an appearance puts on a page. */
export type PaintedLook = {
  /** Text, pictures or shadings: what could say something of its own. */
  readonly speaks: boolean
  /** Areas that hide what is below them; those that only darken it do not count. */
  readonly covers: boolean
  /** Of the widest stroke, in the units of the page if the appearance is not enlarged. */
  readonly widestStroke: number
}

const MAX_APPEARANCE = 1 << 20
const MAX_DEPTH = 4

const SPEAKING = new Set(['Tj', 'TJ', "'", '"', 'BI', 'sh'])
const FILLING = new Set(['f', 'F', 'f*', 'B', 'B*', 'b', 'b*'])
const STROKING = new Set(['S', 's', 'B', 'B*', 'b', 'b*'])

/** The look of an appearance; undefined when it cannot be read. */
export function paintedLook(document: PdfDocument, form: PdfStream): PaintedLook | undefined {
  try {
    return lookOf(document, form, { multiplies: false, width: 1, scale: 1 }, 0)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return undefined
    throw error
  }
}

/** `scale`: how much larger than its own units it is drawn, at most. */
type Graphics = { multiplies: boolean; width: number; scale: number }

const EVERYTHING: PaintedLook = { speaks: true, covers: true, widestStroke: Infinity }

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
  let look: PaintedLook = { speaks: false, covers: false, widestStroke: 0 }
  for (const { operator, operands } of contentOperations(document.decoded(form, MAX_APPEARANCE))) {
    const [first] = operands
    if (operator === 'q') saved.push(graphics)
    if (operator === 'Q') graphics = saved.pop() ?? inherited
    if (operator === 'w') graphics = { ...graphics, width: typeof first === 'number' ? first : 1 }
    if (operator === 'cm')
      graphics = { ...graphics, scale: graphics.scale * enlargementOf(operands) }
    if (operator === 'gs') graphics = withState(document, graphics, named('ExtGState', first))
    if (operator === 'Do')
      look = both(look, drawn(document, named('XObject', first), graphics, depth))
    look = both(look, {
      speaks: SPEAKING.has(operator),
      covers: FILLING.has(operator) && !graphics.multiplies,
      widestStroke:
        STROKING.has(operator) && !graphics.multiplies ? graphics.width * graphics.scale : 0,
    })
  }
  return look
}

const both = (a: PaintedLook, b: PaintedLook): PaintedLook => ({
  speaks: a.speaks || b.speaks,
  covers: a.covers || b.covers,
  widestStroke: Math.max(a.widestStroke, b.widestStroke),
})

function drawn(
  document: PdfDocument,
  object: PdfObject,
  graphics: Graphics,
  depth: number,
): PaintedLook {
  if (object === null) return { speaks: false, covers: false, widestStroke: 0 }
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
