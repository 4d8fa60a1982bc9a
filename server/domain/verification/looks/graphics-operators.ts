import { entriesOf, isArray, isName, isNamed } from '#server/domain/pdf/object.ts'
import { directOperator, lightnessOf } from './colour.ts'
import { product } from './geometry.ts'
import { joinOf, miterLimitOf, withParameters } from './graphics.ts'
import { addShown, isMatrix, named, type Operator, type OperatorTable, set } from './pen.ts'
import { patternOf, shadingOf } from './shadings.ts'

const setFill: Operator = (pen, _, { operator, operands }) => {
  const lightness = lightnessOf(operator, operands)
  pen.graphics = { ...pen.graphics, fill: lightness, fillSpace: operator, fillsPattern: undefined }
}

const setStroke: Operator = (pen, _, { operator, operands }) => {
  const lightness = lightnessOf(operator, operands)
  pen.graphics = {
    ...pen.graphics,
    ...{ stroke: lightness, strokeSpace: operator, strokesPattern: undefined },
  }
}

const setSpace: Operator = (pen, _, { operator, operands }) => {
  const { document } = pen.sheet
  const space =
    directOperator(document, operands[0]) ??
    directOperator(document, named(pen, 'ColorSpace', operands[0]))
  const black = space && 0
  pen.graphics =
    operator === 'cs'
      ? { ...pen.graphics, fill: black, fillSpace: space, fillsPattern: undefined }
      : { ...pen.graphics, stroke: black, strokeSpace: space, strokesPattern: undefined }
}

const setColour: Operator = (pen, _, { operator, operands }) => {
  const pattern = operands.find(isName)
  const { document } = pen.sheet
  const drawn = pattern ? named(pen, 'Pattern', pattern) : null
  const shows = pattern && patternOf(document, drawn, pen.base)
  if (pattern) pen.sheet.isOdd = true
  if (shows === 'unread') pen.sheet.isCut = true
  const isFill = operator === 'sc' || operator === 'scn'
  const space = isFill ? pen.graphics.fillSpace : pen.graphics.strokeSpace
  const lightness = space === undefined ? undefined : lightnessOf(space, operands)
  pen.graphics = {
    ...pen.graphics,
    ...(isFill
      ? { fill: lightness, fillsPattern: shows }
      : { stroke: lightness, strokesPattern: shows }),
  }
}

/** The graphics state, colours and marked content. @see ISO 32000-2:2020, tables 56, 73, 76 and 352 */
export const GRAPHICS_OPERATORS: OperatorTable = {
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
    const { graphics, isOdd, isCut } = withParameters(
      pen.sheet.document,
      pen.graphics,
      entriesOf(parameters),
    )
    pen.graphics = graphics
    if (isOdd || parameters === null) pen.sheet.isOdd = true
    if (isCut) pen.sheet.isCut = true
  },
  w: set(([lineWidth = 1]) => ({ lineWidth })),
  j: set(([join]) => ({ join: joinOf(join) })),
  M: set(([limit]) => ({ miterLimit: miterLimitOf(limit) })),
  d: (pen, _, { operands: [dashes] }) => {
    // Dashes of many lengths could be letters.
    if (isArray(dashes) && dashes.items.length > 2) pen.sheet.isOdd = true
    pen.graphics = { ...pen.graphics, isDashed: isArray(dashes) && dashes.items.length > 0 }
  },
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
  sh: (pen, _, { operands: [name] }) => {
    const { clip, isMasked, matrix } = pen.graphics
    const { document } = pen.sheet
    const shows = shadingOf(document, named(pen, 'Shading', name), matrix)
    pen.sheet.isOdd = true
    if (shows === 'unread') pen.sheet.isCut = true
    addShown(pen, clip, isMasked ? 'unread' : shows)
  },
  // Content of a layer is shown or not, as the reader of the document chooses.
  BDC: (pen, _, { operands: [tag, properties] }) => {
    const entries = entriesOf(
      isName(properties) ? named(pen, 'Properties', properties) : properties,
    )
    // What is read aloud and copied would be another text.
    const isReplaced = ['ActualText', 'Alt', 'E'].some((key) => entries.has(key))
    if (isNamed(tag, 'OC') || isReplaced) pen.sheet.isOdd = true
  },
}
