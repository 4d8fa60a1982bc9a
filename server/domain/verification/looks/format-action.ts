import type { PdfDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, isStream, isString, type PdfObject } from '#server/domain/pdf/object.ts'
import { decodeText } from '#server/domain/pdf/text-string.ts'

const MAX_SCRIPT = 64 << 10

/**
 * The script that writes the value of a field out for people, as amounts and dates.
 *
 * @param actions the /AA of a field or its widget
 * @see ISO 32000-2:2020, table 199, entry "F"
 */
export function formatScript(
  document: PdfDocument,
  actions: PdfObject | undefined,
): string | undefined {
  const format = entriesOf(document.resolve(actions)).get('F')
  if (format === undefined) return undefined
  const script = document.resolve(entriesOf(document.resolve(format)).get('JS'))
  if (isString(script)) return decodeText(script.bytes)
  return isStream(script) ? decodeText(document.decoded(script, MAX_SCRIPT)) : ''
}

/**
 * Whether a text is what the script makes of the value. Of the functions that readers have for it, amounts are computed;
 * of dates the numbers must be the same in the same order, or from behind; of postcodes and telephone numbers the digits. Any
 * other script may add a sign of currency.
 */
export function isFormatted(script: string, value: string, shown: string): boolean {
  if (shown === '') return value === ''
  const [, name, given] =
    /\b(AF(?:Number|Percent|Date|Time|Special)_Format)(?:Ex)?\s*\(([^;]*)\)/.exec(script) ?? []
  switch (name) {
    case 'AFNumber_Format':
      return isAmount(argumentsOf(given!), value, shown, 1)
    case 'AFPercent_Format':
      return isAmount(argumentsOf(given!), value, shown, 100)
    case 'AFDate_Format':
    case 'AFTime_Format':
      return isSameDate(value, shown)
    case 'AFSpecial_Format':
      return /^[\d\s()-]*$/.test(shown) && digitsOf(value) === digitsOf(shown)
    default:
      return withoutSign(value) === withoutSign(shown)
  }
}

const digitsOf = (text: string) => text.replace(/\D/g, '')
/** A sign in the middle of an amount could be taken for its point. */
const withoutSign = (text: string) =>
  text
    .replace(/\s/g, '')
    .replace(/^(-?)[$€£¥]/, '$1')
    .replace(/[$€£¥]$/, '')

/** The arguments of a call that are written out. */
const argumentsOf = (list: string) =>
  [...list.matchAll(/"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s,"']+)/g)].map(
    ([, double, single, plain]) => unescaped(double ?? single ?? plain ?? ''),
  )

const unescaped = (text: string) =>
  text.replace(/\\u([0-9a-fA-F]{4})|\\(.)/g, (_, code, sign) =>
    code ? String.fromCharCode(Number.parseInt(code, 16)) : sign,
  )

/** Which signs part thousands and decimals, by the second argument. */
const SEPARATORS = [
  [',', '.'],
  ['', '.'],
  ['.', ','],
  ['', ','],
  ["'", '.'],
] as const

function isAmount(
  [decimals, style, , , currency = '']: readonly string[],
  value: string,
  shown: string,
  factor: number,
): boolean {
  const [thousands, point] = SEPARATORS[Number(style)] ?? SEPARATORS[0]
  const wanted = Number(value.trim().replace(',', '.')) * factor
  const signs = [currency.replace(/\s/g, ''), factor === 100 ? '%' : ''].filter(isSign)
  const text = shown.replace(/\s/g, '').replace('−', '-')
  const [, before = '', number = '', behind = ''] = /^(\D*)(\d(?:.*\d)?)(\D*)$/.exec(text) ?? []
  const around = signs.reduce((left, sign) => left.replace(sign, ''), `${before}0${behind}`)
  if (!['0', '-0', '(0)'].includes(around)) return false
  const [whole = '', fraction = '', ...more] = number.split(point)
  const plain = thousands === '' ? whole : whole.split(thousands).join('')
  if (more.length > 0 || !/^\d+$/.test(plain) || !/^\d*$/.test(fraction)) return false
  if (thousands !== '' && !isGrouped(whole, thousands)) return false
  // Fewer decimals than the script asks for would be another amount.
  if (fraction.length !== (Number(decimals) || 0)) return false
  const amount = Number(`${around === '0' ? '' : '-'}${plain}.${fraction || '0'}`)
  return Math.abs(wanted - amount) <= 0.5000001 * 10 ** -fraction.length
}

/** Digits, points and a minus alone would make another amount. */
const isSign = (sign: string) => sign === '%' || /^\D*[\p{L}\p{Sc}]\D*$/u.test(sign)

const isGrouped = (whole: string, thousands: string) =>
  !whole.includes(thousands) ||
  whole.split(thousands).every((group, at) => (at === 0 ? group.length <= 3 : group.length === 3))

const MONTHS: readonly (readonly [string, number])[] =
  'jan ene|feb|mar|apr abr|may|jun|jul|aug ago|sep|oct|nov|dec dic'
    .split('|')
    .flatMap((names, at) => names.split(' ').map((name) => [name, at + 1] as const))

function isSameDate(value: string, shown: string): boolean {
  const [a, b] = [numbersOf(value), numbersOf(shown)]
  return a !== undefined && b !== undefined && (areSame(a, b) || areSame(a.toReversed(), b))
}

/** A year may be written with its last two digits. */
const areSame = (a: readonly string[], b: readonly string[]) =>
  a.length === b.length &&
  a.every((one, at) => {
    const other = b[at]!
    const isShort = one.length <= 2 !== other.length <= 2
    return isShort ? Number(one) % 100 === Number(other) % 100 : Number(one) === Number(other)
  })

/** Days, months by number or name, and years; hours count from 0 to 24. Undefined for other words and signs. */
function numbersOf(text: string): string[] | undefined {
  // Others look like digits, or are some.
  if (!/^[\p{L}\d\s.,:;/()'’–-]*$/u.test(text)) return undefined
  const words =
    text
      .toLowerCase()
      .replaceAll('.', ' ')
      .match(/\p{L}+|\d+/gu) ?? []
  const half = /\b([ap])\s?m\b/.exec(words.join(' '))?.[1]
  const numbers = words
    .filter((word) => !['de', 'del', 'am', 'pm', 'a', 'p', 'm'].includes(word))
    .map((word) =>
      /^\d/.test(word) ? word : MONTHS.find(([name]) => word.startsWith(name))?.[1].toString(),
    )
  if (numbers.includes(undefined)) return undefined
  const [first, ...others] = numbers as string[]
  if (!half || first === undefined) return numbers as string[]
  return [String((Number(first) % 12) + (half === 'p' ? 12 : 0)), ...others]
}
