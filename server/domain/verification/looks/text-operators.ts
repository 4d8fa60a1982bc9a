import { isArray, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { IDENTITY, product } from './geometry.ts'
import { isRecoloured } from './graphics.ts'
import { shapeOf } from './marks.ts'
import { namesAlike } from './named-fonts.ts'
import { addMark, isMatrix, named, type OperatorTable, type Pen, scaleOf, set } from './pen.ts'

function nextLine(pen: Pen, x: number, y: number): void {
  pen.isStuck = false
  pen.line = product([1, 0, 0, 1, x, y], pen.line)
  pen.text = pen.line
}

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
  const sides = [
    [width, slope],
    [slant, height],
  ] as const
  const endAfter = (ems: number) => x + (ems * size + gaps) * scale * onCanvas[0]
  const length = (likely * size + gaps) * scale
  const em = Math.abs(size * scale) * Math.hypot(onCanvas[0], onCanvas[1])
  addMark(sheet, {
    kind: 'text',
    text: font?.read(string.bytes),
    isApart: !pen.isStuck && font?.areApart(string.bytes) === true,
    letters,
    codes: string.bytes,
    start: [x, y],
    leastEnd: endAfter(least),
    likelyEnd: endAfter(likely),
    mostEnd: endAfter(most),
    end: [x + length * onCanvas[0], y + length * onCanvas[1]],
    slack: slack * em,
    gaps: { letter: graphics.letterGap / (size || 1), blank: graphics.wordGap / (size || 1) },
    sides,
    reach: Math.max(Math.hypot(width, slope), Math.hypot(slant, height)),
    ...shapeOf(sides),
    mode: graphics.mode,
    lineWidth: graphics.lineWidth * scaleOf(matrix),
    lightness: graphics.mode === 1 ? graphics.stroke : graphics.fill,
    outline: graphics.stroke,
    isRecoloured: isRecoloured(graphics) || font?.isDrawn === true || graphics.mode >= CLIPS,
    font,
    clip: graphics.clip,
    isOpaque: graphics.isOpaque,
  })
  advance(pen, likely * size + gaps)
  pen.isStuck ||= font?.movesAfter(string.bytes) === false
}

/** Letters in these modes show what is painted through them. @see ISO 32000-2:2020, table 104 */
const CLIPS = 4

/** Text: objects, state, positioning and showing. @see ISO 32000-2:2020, tables 103, 105, 106 and 107 */
export const TEXT_OPERATORS: OperatorTable = {
  ET: (pen) => {
    pen.isInText = false
  },
  BT: (pen) => {
    pen.isInText = true
    pen.isStuck = false
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
      pen.isStuck = false
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
}
