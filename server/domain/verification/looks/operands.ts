import type { ContentOperation } from '#server/domain/pdf/content-stream.ts'
import { isArray, isName, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { LARGEST_NUMBER } from './geometry.ts'

/**
 * Whether an instruction has the operands that it takes, and no more: of too many, some readers take the first and some
 * the last ones; of another type, some leave the instruction out.
 *
 * @returns true for an operator that is not listed
 * @see ISO 32000-2:2020, annex A
 */
export function hasItsOperands({ operator, operands }: ContentOperation): boolean {
  const kinds = Object.hasOwn(OPERANDS, operator) ? OPERANDS[operator]! : undefined
  if (kinds === undefined) return true
  if (kinds === COLOURS) return operands.length > 0 && isColour(operands)
  return operands.length === kinds.length && operands.every((one, at) => isKind(one, kinds[at]!))
}

/** Whether the standard has such an instruction: some readers split others into those that they know. */
export const isOperator = (operator: string) => Object.hasOwn(OPERANDS, operator)

/** n number, N name, s string, a array, p properties: a name or a dictionary. */
function isKind(operand: PdfObject, kind: string): boolean {
  switch (kind) {
    case 'n':
      return isNumber(operand)
    case 'N':
      return isName(operand)
    case 's':
      return isString(operand)
    case 'a':
      return isArray(operand) && operand.items.every(isPiece)
    default:
      return isName(operand) || (typeof operand === 'object' && operand?.kind === 'dictionary')
  }
}

/** Larger ones are 0 in some readers. */
const isNumber = (operand: PdfObject) =>
  typeof operand === 'number' && Math.abs(operand) <= LARGEST_NUMBER

/** Of a text with its gaps, or of a line with its dashes. */
const isPiece = (item: PdfObject) => isNumber(item) || isString(item)

/** How many there are follows from the colour space. */
const COLOURS = 'c'

/** Numbers, and at the end the name of a pattern: of two names, some readers take the first and some the last one. */
const isColour = (operands: readonly PdfObject[]) =>
  operands.every((one, at) => isNumber(one) || (isName(one) && at === operands.length - 1))

const OPERANDS: Record<string, string> = Object.fromEntries(
  [
    ['', 'q Q h S s f F f* B B* b b* n W W* BT ET T* EMC BX EX'],
    ['n', 'w J j M i g G Tc Tw Tz TL Ts Tr'],
    ['nn', 'm l Td TD'],
    ['nnn', 'rg RG'],
    ['nnnn', 'v y re k K'],
    ['nnnnnn', 'cm c Tm'],
    ['N', 'gs ri cs CS sh Do BMC MP'],
    ['Nn', 'Tf'],
    ['Np', 'BDC DP'],
    ['an', 'd'],
    ['s', "Tj '"],
    ['nns', '"'],
    ['a', 'TJ'],
    [COLOURS, 'sc scn SC SCN'],
  ].flatMap(([kinds, operators]) => operators!.split(' ').map((one) => [one, kinds!])),
)
