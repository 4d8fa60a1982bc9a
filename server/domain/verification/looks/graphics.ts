import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isArray, isName, isNamed, type PdfObject } from '#server/domain/pdf/object.ts'
import type { Lightness } from './colour.ts'
import type { Box, Matrix } from './geometry.ts'
import type { LookFont } from './look-font.ts'

/** The graphics state, as far as it decides what is seen. @see ISO 32000-2:2020, 8.4.1 and 9.3.1 */
export type Graphics = {
  readonly matrix: Matrix
  readonly clip: Box
  readonly fill: Lightness
  readonly stroke: Lightness
  /** The operator that sets colours of the space directly; undefined where none does. */
  readonly fillSpace: string | undefined
  readonly strokeSpace: string | undefined
  readonly lineWidth: number
  readonly isDashed: boolean
  readonly join: number
  readonly miterLimit: number
  /** Nothing has made it transparent, or mixed it with what is below. */
  readonly isOpaque: boolean
  readonly fillAlpha: number
  readonly strokeAlpha: number
  /** What is below is only darkened. */
  readonly darkens: boolean
  readonly mixing: Mixing
  readonly isTransferred: boolean
  /** The resources around give the device's colours another meaning. */
  readonly isRenamed: boolean
  /** Areas show what a mask, or a tile, a mesh or a function in place of their colour, leaves or draws. */
  readonly isMasked: boolean
  readonly fillsPattern: Pattern | undefined
  readonly strokesPattern: Pattern | undefined
  /** What readers do with the groups around, whatever the state inside of them. */
  readonly around: Pick<Graphics, 'mixing' | 'isMasked'>
  /** Readers mix what is drawn with what the same form draws, not with the page. */
  readonly isGrouped: boolean
  readonly font: LookFont | undefined
  readonly size: number
  readonly letterGap: number
  readonly wordGap: number
  /** 1 is the width that the letters are made with. */
  readonly scale: number
  readonly leading: number
  readonly rise: number
  readonly mode: number
}

/**
 * How colours are mixed with those below. What differs little in pale ones differs much when many are multiplied, or in an
 * odd mode.
 */
export type Mixing = 'plain' | 'multiplied' | 'odd'
const MIXINGS = ['plain', 'multiplied', 'odd'] as const

/** A gradient without edges, or with two lines as its edges; another one; or a tile, a mesh or a function. */
export type Pattern = 'ground' | 'band' | 'shaded' | 'unread'

export const INITIAL: Omit<Graphics, 'matrix' | 'clip'> = {
  fill: 0,
  stroke: 0,
  fillSpace: 'g',
  strokeSpace: 'g',
  lineWidth: 1,
  isDashed: false,
  join: 0,
  miterLimit: 10,
  isOpaque: true,
  fillAlpha: 1,
  strokeAlpha: 1,
  darkens: false,
  mixing: 'plain',
  isTransferred: false,
  isRenamed: false,
  isMasked: false,
  fillsPattern: undefined,
  strokesPattern: undefined,
  around: { mixing: 'plain', isMasked: false },
  isGrouped: false,
  font: undefined,
  size: 0,
  letterGap: 0,
  wordGap: 0,
  scale: 1,
  leading: 0,
  rise: 0,
  mode: 0,
}

/** Of an /ExtGState: they change neither what is drawn nor how it covers. */
const WITHOUT_EFFECT = new Set('Type SA SM FL AIS TK OP op OPM RI LC D HT'.split(' '))

/**
 * The state with the parameters of an /ExtGState.
 *
 * @returns `isOdd`: one of them has an effect that is not computed here; `isCut`: it can draw or write anything
 * @see ISO 32000-2:2020, table 57
 */
export function withParameters(
  document: PdfDocument,
  graphics: Graphics,
  parameters: ReadonlyMap<string, PdfObject>,
): { graphics: Graphics; isOdd: boolean; isCut: boolean } {
  let next = graphics
  let [isOdd, isCut] = [false, false]
  for (const [key, written] of parameters) {
    const value = document.resolve(written)
    const isOpaque = next.isOpaque && isPlain(document, key, value)
    if (key === 'LW' && typeof value === 'number') next = { ...next, lineWidth: value }
    else if (key === 'LJ') next = { ...next, join: joinOf(value) }
    else if (key === 'ML') next = { ...next, miterLimit: miterLimitOf(value) }
    else if (key === 'BM') {
      const mode = modeOf(document, value)
      next = { ...next, isOpaque, mixing: mixingIn(next, mode), darkens: darkensWith(next, mode) }
    } else if (key === 'CA') next = { ...next, isOpaque, strokeAlpha: alphaOf(value) }
    else if (key === 'ca') next = { ...next, isOpaque, fillAlpha: alphaOf(value) }
    else if (key === 'SMask' || key === 'Font') {
      const isSet = !isNamed(value, 'None')
      isCut ||= isSet
      if (key === 'SMask') next = { ...next, isMasked: isSet || next.around.isMasked }
    } else {
      isOdd ||= !WITHOUT_EFFECT.has(key)
      if (TRANSFERS.has(key)) next = { ...next, isTransferred: !isName(value) }
    }
  }
  return { graphics: next, isOdd: isOdd || isCut, isCut }
}

const isPlain = (document: PdfDocument, key: string, value: PdfObject) =>
  key === 'BM' ? PLAIN_MODES.has(modeOf(document, value)) : value === 1

function mixingIn({ around }: Graphics, mode: string): Mixing {
  const own = PLAIN_MODES.has(mode) ? 'plain' : MULTIPLYING_MODES.has(mode) ? 'multiplied' : 'odd'
  return MIXINGS.findLast((one) => one === own || one === around.mixing) ?? own
}

const darkensWith = ({ isGrouped, darkens }: Graphics, mode: string) =>
  isGrouped ? darkens : DARKENING_MODES.has(mode)

const alphaOf = (value: PdfObject) =>
  typeof value === 'number' && value >= 0 && value <= 1 ? value : 1

/** Of what is no join, the one that reaches farthest. @see ISO 32000-2:2020, table 54 */
export const joinOf = (value: PdfObject | undefined) => (value === 1 || value === 2 ? value : 0)
export const miterLimitOf = (value: PdfObject | undefined) =>
  typeof value === 'number' && value >= 1 ? value : Number.POSITIVE_INFINITY

/** The state in which a transparency group begins. @see ISO 32000-2:2020, 11.6.6 */
export const inGroup = (graphics: Graphics): Graphics => {
  const { mixing, isMasked } = graphics
  return { ...graphics, isGrouped: true, around: { mixing, isMasked } }
}

/** Whether what is drawn may be seen darker than its colour says. */
export const isRecoloured = ({ mixing, isTransferred, isRenamed }: Graphics) =>
  mixing !== 'plain' || isTransferred || isRenamed

/** Whether what is below ink of this lightness can hardly be seen. */
export function covers(
  { fillAlpha, strokeAlpha, darkens }: Graphics,
  kind: 'fill' | 'stroke' | 'picture',
  lightness: Lightness,
): boolean {
  const isPale = lightness !== undefined && lightness >= DARKEST_LEGIBLE
  return (kind === 'stroke' ? strokeAlpha : fillAlpha) > MOST_LEGIBLE && !(darkens && isPale)
}

/** How light a colour must be that leaves a text legible when it darkens it, wherever the look draws it. */
const DARKEST_LEGIBLE = 0.6

const PLAIN_MODES = new Set(['Normal', 'Compatible'])
const MULTIPLYING_MODES = new Set(['Multiply', 'Darken'])
/** By a function, or as usual by a name. */
const TRANSFERS = new Set(['TR', 'TR2'])
const DARKENING_MODES = new Set(['Multiply', 'Darken', 'ColorBurn'])
/** How opaque an area may be that leaves a text below it legible. */
const MOST_LEGIBLE = 0.3

function modeOf(document: PdfDocument, value: PdfObject): string {
  const mode = isArray(value) ? document.resolve(value.items[0]) : value
  return isName(mode) ? mode.value : ''
}
