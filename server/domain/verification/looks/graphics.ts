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
  /** Neither transparent nor mixed with what is below. */
  readonly isOpaque: boolean
  /** What is below can hardly be seen. */
  readonly covers: boolean
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

export const INITIAL: Omit<Graphics, 'matrix' | 'clip'> = {
  fill: 0,
  stroke: 0,
  fillSpace: 'g',
  strokeSpace: 'g',
  lineWidth: 1,
  isOpaque: true,
  covers: true,
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
const WITHOUT_EFFECT = new Set('Type SA SM FL AIS TK OP op OPM RI LC LJ ML D HT'.split(' '))

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
  let { lineWidth, isOpaque, covers } = graphics
  let [isOdd, isCut] = [false, false]
  for (const [key, written] of parameters) {
    const value = document.resolve(written)
    if (key === 'LW' && typeof value === 'number') lineWidth = value
    else if (key === 'BM') {
      const mode = modeOf(document, value)
      isOpaque &&= PLAIN_MODES.has(mode)
      covers &&= !DARKENING_MODES.has(mode)
    } else if (key === 'CA' || key === 'ca') {
      isOpaque &&= value === 1
      covers &&= !(typeof value === 'number' && value <= MOST_LEGIBLE)
    } else if (key === 'SMask' || key === 'Font') isCut ||= !isNamed(value, 'None')
    else isOdd ||= !WITHOUT_EFFECT.has(key)
  }
  return { graphics: { ...graphics, lineWidth, isOpaque, covers }, isOdd: isOdd || isCut, isCut }
}

const PLAIN_MODES = new Set(['Normal', 'Compatible'])
const DARKENING_MODES = new Set(['Multiply', 'Darken', 'ColorBurn'])
/** How opaque an area may be that leaves a text below it legible. */
const MOST_LEGIBLE = 0.3

function modeOf(document: PdfDocument, value: PdfObject): string {
  const mode = isArray(value) ? document.resolve(value.items[0]) : value
  return isName(mode) ? mode.value : ''
}
