import { type ContentOperation, contentOperations } from '#server/domain/pdf/content-stream.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import {
  entriesOf,
  isArray,
  isName,
  isNamed,
  isStream,
  isString,
  type PdfObject,
  type PdfStream,
} from '#server/domain/pdf/object.ts'
import { directOperator, lightnessOf } from './colour.ts'
import {
  type Box,
  boxAround,
  boxIn,
  cornersOf,
  IDENTITY,
  intersection,
  type Matrix,
  matrixIn,
  type Point,
  product,
  transformed,
} from './geometry.ts'
import { type Graphics, INITIAL, withParameters } from './graphics.ts'
import { lookFonts } from './look-font.ts'
import { type Ink, type Mark, type Paint, UNREADABLE } from './marks.ts'
import { namesAlike } from './named-fonts.ts'
import { hasItsOperands } from './operands.ts'
import {
  addRectangle,
  close,
  curveTo,
  emptyPath,
  end,
  lineTo,
  moveTo,
  type Path,
  rectangleOf,
} from './path.ts'

/** Where the instructions of a page or a look begin. */
export type Canvas = { readonly matrix: Matrix; readonly clip: Box }

const MAX_CONTENT = 4 << 20
const MAX_DEPTH = 6

/** What is drawn, from all streams that one look is made of. */
type Sheet = {
  readonly document: PdfDocument
  readonly fontNamed: ReturnType<typeof lookFonts>
  readonly marks: Mark[]
  isOdd: boolean
  isCut: boolean
}

/** The state of one stream of instructions. */
type Pen = {
  readonly sheet: Sheet
  readonly resources: ReadonlyMap<string, PdfObject>
  readonly depth: number
  graphics: Graphics
  readonly saved: Graphics[]
  path: Path
  clips: boolean
  /** Between BT and ET. */
  isInText: boolean
  /** Where the next letters stand, and where their line begins. */
  text: Matrix
  line: Matrix
}

/** What the instructions of a look draw on the canvas. */
export function inkOf(document: PdfDocument, look: PdfStream, canvas: Canvas): Ink {
  const resources = entriesOf(document.resolve(look.dictionary.entries.get('Resources')))
  const ink = inkOfContent(document, () => document.decoded(look, MAX_CONTENT), resources, canvas)
  return { ...ink, isOdd: ink.isOdd || !isPlainlyCoded(document, look) }
}

/** What instructions draw with their resources. */
export function inkOfContent(
  document: PdfDocument,
  content: () => Uint8Array,
  resources: ReadonlyMap<string, PdfObject>,
  canvas: Canvas,
): Ink {
  const sheet: Sheet = {
    document,
    fontNamed: lookFonts(document),
    marks: [],
    isOdd: false,
    isCut: false,
  }
  try {
    draw(sheet, content(), resources, { ...INITIAL, ...canvas }, 0)
  } catch (error) {
    if (error instanceof PdfError && error.code === 'damaged') return UNREADABLE
    throw error
  }
  return { marks: sheet.marks, isOdd: sheet.isOdd, isCut: sheet.isCut }
}

const CODINGS = new Set('FlateDecode LZWDecode ASCII85Decode ASCIIHexDecode'.split(' '))

/**
 * Whether all readers decode the instructions alike: they do not agree about parameters that are no list beside a list of
 * filters, about short names, or about data in another file. Instructions need no parameters.
 */
function isPlainlyCoded(document: PdfDocument, { dictionary: { entries } }: PdfStream): boolean {
  const filter = document.resolve(entries.get('Filter'))
  const filters = isArray(filter) ? filter.items.map(document.resolve) : [filter]
  const parameters = document.resolve(entries.get('DecodeParms'))
  const hasParameters = isArray(parameters)
    ? parameters.items.some((one) => document.resolve(one) !== null)
    : parameters !== null
  const isKnown = (one: PdfObject) => isName(one) && CODINGS.has(one.value)
  return (
    (filter === null || filters.every(isKnown)) &&
    !hasParameters &&
    !['F', 'FFilter', 'DP'].some((key) => entries.has(key))
  )
}

function draw(
  sheet: Sheet,
  content: Uint8Array,
  resources: ReadonlyMap<string, PdfObject>,
  graphics: Graphics,
  depth: number,
): void {
  const pen: Pen = {
    sheet,
    resources,
    depth,
    graphics,
    saved: [],
    path: emptyPath(),
    clips: false,
    isInText: false,
    text: IDENTITY,
    line: IDENTITY,
  }
  const spaces = entriesOf(sheet.document.resolve(resources.get('ColorSpace')))
  // They give the colours of all instructions another meaning.
  if (['DefaultGray', 'DefaultRGB', 'DefaultCMYK'].some((key) => spaces.has(key)))
    sheet.isOdd = true
  for (const operation of contentOperations(content)) {
    const instruct = Object.hasOwn(INSTRUCTIONS, operation.operator)
      ? INSTRUCTIONS[operation.operator]
      : undefined
    if (!hasItsOperands(operation)) {
      sheet.isOdd = true
      sheet.isCut = true
    } else if (instruct) {
      if (!isInItsPlace(pen, operation)) sheet.isOdd = true
      instruct(pen, numbersOf(operation), operation)
    } else if (!WITHOUT_EFFECT.has(operation.operator)) sheet.isOdd = true
    // The data of an inline image is no syntax: what comes behind it is not read.
    if (operation.operator === 'BI') sheet.isCut = true
  }
}

/** What is no number reads as NaN, and whatever is drawn with it fits nowhere. */
const numbersOf = ({ operands }: ContentOperation) =>
  operands.map((operand) => (typeof operand === 'number' ? operand : Number.NaN))

type Instruction = (pen: Pen, numbers: readonly number[], operation: ContentOperation) => void

const WITHOUT_EFFECT = new Set('J j M ri i BMC EMC MP DP BX EX'.split(' '))

/** Readers do not agree about where letters stand that are written outside of a text, or after a state saved in it. */
function isInItsPlace({ isInText, saved }: Pen, { operator }: ContentOperation): boolean {
  if (operator === 'Q' && saved.length === 0) return false
  return isInText ? !OUTSIDE_TEXT.has(operator) : !INSIDE_TEXT.has(operator)
}

/** @see ISO 32000-2:2020, 8.2, figure 9 */
const OUTSIDE_TEXT = new Set('q Q cm BT'.split(' '))
const INSIDE_TEXT = new Set(['ET', 'Td', 'TD', 'Tm', 'T*', 'Tj', 'TJ', "'", '"'])

const set =
  (change: (numbers: readonly number[]) => Partial<Graphics>): Instruction =>
  (pen, numbers) => {
    pen.graphics = { ...pen.graphics, ...change(numbers) }
  }

const setFill: Instruction = (pen, _, { operator, operands }) => {
  const lightness = lightnessOf(operator, operands)
  pen.graphics = { ...pen.graphics, fill: lightness, fillSpace: operator }
}

const setStroke: Instruction = (pen, _, { operator, operands }) => {
  const lightness = lightnessOf(operator, operands)
  pen.graphics = { ...pen.graphics, stroke: lightness, strokeSpace: operator }
}

const setSpace: Instruction = (pen, _, { operator, operands }) => {
  const { document } = pen.sheet
  const space =
    directOperator(document, operands[0]) ??
    directOperator(document, named(pen, 'ColorSpace', operands[0]))
  const black = space && 0
  pen.graphics =
    operator === 'cs'
      ? { ...pen.graphics, fill: black, fillSpace: space }
      : { ...pen.graphics, stroke: black, strokeSpace: space }
}

const setColour: Instruction = (pen, _, { operator, operands }) => {
  if (operands.some(isName)) pen.sheet.isOdd = true
  const isFill = operator === 'sc' || operator === 'scn'
  const space = isFill ? pen.graphics.fillSpace : pen.graphics.strokeSpace
  const lightness = space === undefined ? undefined : lightnessOf(space, operands)
  pen.graphics = { ...pen.graphics, ...(isFill ? { fill: lightness } : { stroke: lightness }) }
}

const paint =
  (how: { fills?: true; strokes?: true; closes?: true }): Instruction =>
  (pen) => {
    if (how.closes) close(pen.path)
    end(pen.path)
    for (const kind of [how.fills && 'fill', how.strokes && 'stroke'] as const)
      if (kind && pen.path.points.length > 0) pen.sheet.marks.push(painted(kind, pen))
    if (pen.clips) clipTo(pen, rectangleOf(pen.path))
    pen.clips = false
    pen.path = emptyPath()
  }

function painted(kind: 'fill' | 'stroke', { path, graphics }: Pen): Paint {
  return {
    kind,
    segments: path.segments,
    curves: path.curves,
    closings: kind === 'fill' ? path.closings : [],
    box: boxAround(path.points),
    lineWidth: graphics.lineWidth * scaleOf(graphics.matrix),
    lightness: kind === 'fill' ? graphics.fill : graphics.stroke,
    clip: graphics.clip,
    isOpaque: graphics.isOpaque,
    covers: graphics.covers,
  }
}

const scaleOf = ([a, b, c, d]: Matrix) => Math.max(Math.hypot(a, b), Math.hypot(c, d))

function clipTo(pen: Pen, box: Box | undefined): void {
  if (box) pen.graphics = { ...pen.graphics, clip: intersection(pen.graphics.clip, box) }
  else pen.sheet.isOdd = true
}

const place = (pen: Pen, x: number | undefined, y: number | undefined): Point =>
  transformed(pen.graphics.matrix, [x ?? Number.NaN, y ?? Number.NaN])

function nextLine(pen: Pen, x: number, y: number): void {
  pen.line = product([1, 0, 0, 1, x, y], pen.line)
  pen.text = pen.line
}

const isMatrix = (numbers: readonly number[]): numbers is Matrix => numbers.length === 6

const INSTRUCTIONS: Record<string, Instruction> = {
  q: (pen) => pen.saved.push(pen.graphics),
  Q: (pen) => {
    pen.graphics = pen.saved.pop() ?? pen.graphics
  },
  cm: (pen, numbers) => {
    if (!isMatrix(numbers)) pen.sheet.isOdd = true
    else pen.graphics = { ...pen.graphics, matrix: product(numbers, pen.graphics.matrix) }
  },
  gs: (pen, _, { operands: [name] }) => {
    const parameters = named(pen, 'ExtGState', name)
    const { graphics, isOdd } = withParameters(
      pen.sheet.document,
      pen.graphics,
      entriesOf(parameters),
    )
    pen.graphics = graphics
    if (isOdd || parameters === null) pen.sheet.isOdd = true
  },
  w: set(([lineWidth = 1]) => ({ lineWidth })),
  g: setFill,
  rg: setFill,
  k: setFill,
  G: setStroke,
  RG: setStroke,
  K: setStroke,
  cs: setSpace,
  CS: setSpace,
  sc: setColour,
  scn: setColour,
  SC: setColour,
  SCN: setColour,
  // Content of a layer is shown or not, as the reader of the document chooses.
  BDC: (pen, _, { operands: [tag, properties] }) => {
    const entries = entriesOf(
      isName(properties) ? named(pen, 'Properties', properties) : properties,
    )
    // What is read aloud and copied would be another text.
    const isReplaced = ['ActualText', 'Alt', 'E'].some((key) => entries.has(key))
    if (isNamed(tag, 'OC') || isReplaced) pen.sheet.isOdd = true
  },
  m: (pen, [x, y]) => moveTo(pen.path, place(pen, x, y)),
  l: (pen, [x, y]) => lineTo(pen.path, place(pen, x, y)),
  c: (pen, [a, b, c, d, e, f]) =>
    curveTo(pen.path, [place(pen, a, b), place(pen, c, d), place(pen, e, f)]),
  v: (pen, [a, b, c, d]) => curveTo(pen.path, [place(pen, a, b), place(pen, c, d)]),
  y: (pen, [a, b, c, d]) => curveTo(pen.path, [place(pen, a, b), place(pen, c, d)]),
  h: (pen) => close(pen.path),
  re: (pen, [x = Number.NaN, y = Number.NaN, width = Number.NaN, height = Number.NaN]) =>
    addRectangle(pen.path, [
      place(pen, x, y),
      place(pen, x + width, y),
      place(pen, x + width, y + height),
      place(pen, x, y + height),
    ]),
  W: (pen) => {
    pen.clips = true
  },
  'W*': (pen) => {
    pen.clips = true
  },
  n: paint({}),
  f: paint({ fills: true }),
  F: paint({ fills: true }),
  'f*': paint({ fills: true }),
  S: paint({ strokes: true }),
  s: paint({ strokes: true, closes: true }),
  B: paint({ fills: true, strokes: true }),
  'B*': paint({ fills: true, strokes: true }),
  b: paint({ fills: true, strokes: true, closes: true }),
  'b*': paint({ fills: true, strokes: true, closes: true }),
  d: (pen, _, { operands: [dashes] }) => {
    // Dashes of many lengths could be letters.
    if (isArray(dashes) && dashes.items.length > 2) pen.sheet.isOdd = true
  },
  ET: (pen) => {
    pen.isInText = false
  },
  BT: (pen) => {
    pen.isInText = true
    pen.text = IDENTITY
    pen.line = IDENTITY
  },
  Tf: (pen, [, size = Number.NaN], { operands: [name] }) => {
    // Readers look in the form, the page and the look around this one for a font that is missing here.
    const isOwn = named(pen, 'Font', name) !== null
    if (!isOwn && (pen.depth > 0 || !pen.sheet.document.once(namesAlike)(name)))
      pen.sheet.isOdd = true
    const font = pen.sheet.fontNamed(pen.resources, name)
    pen.graphics = { ...pen.graphics, font, size }
  },
  Tc: set(([letterGap = 0]) => ({ letterGap })),
  Tw: set(([wordGap = 0]) => ({ wordGap })),
  Tz: set(([percent = 100]) => ({ scale: percent / 100 })),
  TL: set(([leading = 0]) => ({ leading })),
  Ts: set(([rise = 0]) => ({ rise })),
  Tr: set(([mode = 0]) => ({ mode })),
  Td: (pen, [x = Number.NaN, y = Number.NaN]) => nextLine(pen, x, y),
  TD: (pen, [x = Number.NaN, y = Number.NaN]) => {
    pen.graphics = { ...pen.graphics, leading: -y }
    nextLine(pen, x, y)
  },
  Tm: (pen, numbers) => {
    if (!isMatrix(numbers)) pen.sheet.isOdd = true
    else {
      pen.line = numbers
      pen.text = numbers
    }
  },
  'T*': (pen) => nextLine(pen, 0, -pen.graphics.leading),
  Tj: (pen, _, { operands: [string] }) => write(pen, string),
  "'": (pen, _, { operands: [string] }) => {
    nextLine(pen, 0, -pen.graphics.leading)
    write(pen, string)
  },
  '"': (pen, [wordGap = 0, letterGap = 0], { operands }) => {
    pen.graphics = { ...pen.graphics, wordGap, letterGap }
    nextLine(pen, 0, -pen.graphics.leading)
    write(pen, operands[2])
  },
  TJ: (pen, _, { operands: [list] }) => {
    for (const item of isArray(list) ? list.items : [])
      if (typeof item === 'number') advance(pen, (-item / 1000) * pen.graphics.size)
      else write(pen, item)
  },
  Do: (pen, _, { operands: [name] }) => drawObject(pen, named(pen, 'XObject', name)),
}

const named = (
  { sheet: { document }, resources }: Pen,
  kind: string,
  name: PdfObject | undefined,
) =>
  isName(name)
    ? document.resolve(entriesOf(document.resolve(resources.get(kind))).get(name.value))
    : null

function advance(pen: Pen, distance: number): void {
  pen.text = product([1, 0, 0, 1, distance * pen.graphics.scale, 0], pen.text)
}

const NO_MEASURE = { letters: 0, least: 0, likely: 0, most: 0, slack: 0 }

function write(pen: Pen, string: PdfObject | undefined): void {
  const { sheet, graphics, text } = pen
  if (!isString(string)) {
    sheet.isOdd = true
    return
  }
  if (string.bytes.length === 0) return
  const { font, size, scale, matrix } = graphics
  if (!font || font.isDrawn || font.isVertical) sheet.isCut = true
  const { letters, least, likely, most, slack } = font?.measure(string.bytes) ?? NO_MEASURE
  const spaces = string.bytes.filter((byte) => byte === 0x20).length
  const gaps = letters * graphics.letterGap + spaces * graphics.wordGap
  const onCanvas = product(text, matrix)
  const letter = product([size * scale, 0, 0, size, 0, graphics.rise], onCanvas)
  const [width, slope, slant, height, x, y] = letter
  const endAfter = (ems: number) => x + (ems * size + gaps) * scale * onCanvas[0]
  const length = (likely * size + gaps) * scale
  const em = Math.abs(size * scale) * Math.hypot(onCanvas[0], onCanvas[1])
  sheet.marks.push({
    kind: 'text',
    text: font?.read(string.bytes),
    letters,
    start: [x, y],
    leastEnd: endAfter(least),
    likelyEnd: endAfter(likely),
    mostEnd: endAfter(most),
    end: [x + length * onCanvas[0], y + length * onCanvas[1]],
    slack: slack * em,
    reach: Math.max(Math.hypot(width, slope), Math.hypot(slant, height)),
    size: height,
    stretch: width / height,
    isUpright: width > 0 && height > 0 && Math.abs(slope) + Math.abs(slant) < height / 100,
    mode: graphics.mode,
    lineWidth: graphics.lineWidth * scaleOf(matrix),
    lightness: graphics.mode === 1 ? graphics.stroke : graphics.fill,
    font,
    clip: graphics.clip,
    isOpaque: graphics.isOpaque,
  })
  advance(pen, likely * size + gaps)
}

function drawObject({ sheet, graphics, depth }: Pen, object: PdfObject): void {
  const { document } = sheet
  const entries = entriesOf(object)
  const subtype = document.resolve(entries.get('Subtype'))
  if (entries.has('OC')) sheet.isOdd = true
  if (isStream(object) && isNamed(subtype, 'Image'))
    sheet.marks.push(picture(document, object, graphics))
  else if (isStream(object) && isNamed(subtype, 'Form') && depth < MAX_DEPTH)
    drawForm(sheet, object, graphics, depth)
  // Readers look in other places for a name that is missing here.
  else sheet.isOdd = true
}

const UNIT_SQUARE = { left: 0, bottom: 0, right: 1, top: 1 }

function picture(document: PdfDocument, object: PdfStream, graphics: Graphics): Paint {
  const { entries } = object.dictionary
  const isStencil = document.resolve(entries.get('ImageMask')) === true
  const corners = cornersOf(UNIT_SQUARE).map((corner) => transformed(graphics.matrix, corner))
  return {
    kind: 'picture',
    segments: [],
    curves: [],
    closings: [],
    box: boxAround(corners),
    lineWidth: 0,
    lightness: undefined,
    clip: graphics.clip,
    isOpaque: graphics.isOpaque && !isStencil && !entries.has('SMask') && !entries.has('Mask'),
    covers: graphics.covers && !isMostlyTransparent(document, object),
  }
}

const MAX_MASK = 4 << 20

/** Whether the mask of a picture shows less than half of it, as that of a written name does. */
function isMostlyTransparent(document: PdfDocument, image: PdfStream): boolean {
  const mask = document.resolve(image.dictionary.entries.get('SMask'))
  if (!isStream(mask)) return false
  try {
    const bytes = document.decoded(mask, MAX_MASK)
    const sum = bytes.reduce((total, byte) => total + byte, 0)
    return bytes.length > 0 && sum / bytes.length < 128
  } catch (error) {
    if (error instanceof PdfError) return false
    throw error
  }
}

function drawForm(sheet: Sheet, form: PdfStream, graphics: Graphics, depth: number): void {
  const own = matrixIn(sheet.document, form.dictionary.entries.get('Matrix'))
  const box = boxIn(sheet.document, form.dictionary.entries.get('BBox'))
  if (!own || !box) {
    sheet.isOdd = true
    return
  }
  const matrix = product(own, graphics.matrix)
  const around = boxAround(cornersOf(box).map((corner) => transformed(matrix, corner)))
  const clip = intersection(graphics.clip, around)
  if (!isPlainlyCoded(sheet.document, form)) sheet.isOdd = true
  const content = sheet.document.decoded(form, MAX_CONTENT)
  const resources = sheet.document.resolve(form.dictionary.entries.get('Resources'))
  draw(sheet, content, entriesOf(resources), { ...graphics, matrix, clip }, depth + 1)
}
