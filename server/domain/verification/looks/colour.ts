import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { isName, type PdfObject } from '#server/domain/pdf/object.ts'

/** How light a colour is, from 0 (black) to 1 (white); undefined for a colour that is not computed here. */
export type Lightness = number | undefined

/** Colour spaces and the lightness that their instructions set; the capital letters of operators are for lines. */
export function lightnessOf(operator: string, operands: readonly PdfObject[]): Lightness {
  const numbers = operands.filter((operand) => typeof operand === 'number').map(inRange)
  if (numbers.length !== operands.length) return undefined
  const [a = 0, b = 0, c = 0, d = 0] = numbers
  switch (operator.toLowerCase()) {
    case 'g':
      return a
    case 'rg':
      return 0.3 * a + 0.59 * b + 0.11 * c
    case 'k':
      return Math.max(0, 1 - (0.3 * a + 0.59 * b + 0.11 * c) - d)
    default:
      return undefined
  }
}

/** Readers take the nearest colour that there is. */
const inRange = (component: number) => Math.min(1, Math.max(0, component))

/**
 * The operator that sets a colour of the named space directly; undefined for spaces with a meaning of their own. A profile
 * may call any colour black, and readers may use its alternate.
 */
export function directOperator(
  document: PdfDocument,
  written: PdfObject | undefined,
): 'g' | 'rg' | 'k' | undefined {
  const space = document.resolve(written)
  return isName(space) && Object.hasOwn(SPACES, space.value) ? SPACES[space.value] : undefined
}

const SPACES: Record<string, 'g' | 'rg' | 'k'> = {
  DeviceGray: 'g',
  DeviceRGB: 'rg',
  DeviceCMYK: 'k',
}
