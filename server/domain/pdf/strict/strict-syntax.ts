import { isWhiteSpace, latin1 } from '#server/domain/pdf/characters.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  asCount,
  entriesOf,
  isArray,
  isRef,
  isStream,
  type PdfObject,
} from '#server/domain/pdf/object.ts'
import type { IrregularityCode } from './irregularity.ts'
import type { ObjectBody } from './layout.ts'

const DELIMITED = '(?=[\\0\\t\\n\\f\\r ()<>\\[\\]{}/%]|$)'
const BLANK = '[\\0\\t\\n\\f\\r ]'

/**
 * One token of a value, comments excluded: readers do not agree about a comment inside an object. Its first character, or
 * the last one of a reference, says what it is: groups with names take much memory in a large file.
 */
const TOKEN = new RegExp(
  [
    '<<|\\[|>>|\\]|\\(',
    `/(?:[^\\0\\t\\n\\f\\r ()<>\\[\\]{}/%#]|#[0-9A-Fa-f]{2})*`,
    `\\d{1,10}${BLANK}+\\d{1,5}${BLANK}+R${DELIMITED}`,
    `(?:[+-]?(?:\\d+\\.?\\d*|\\.\\d+)|true|false|null)${DELIMITED}`,
    `<[0-9A-Fa-f\\0\\t\\n\\f\\r ]*>`,
  ].join('|'),
  'y',
)

const HIGHEST_NUMBER = 2 ** 31 - 1

/**
 * Where the value that begins at `start` ends, if it is written as the standard says; undefined if readers
 * would have to guess.
 *
 * @param text one character a byte
 * @see ISO 32000-2:2020, 7.3
 */
export function plainValueEnd(text: string, start: number): number | undefined {
  const open: { isDictionary: boolean; count: number }[] = []
  for (let at = start; ; ) {
    while (isWhiteSpace(text.charCodeAt(at))) at++
    TOKEN.lastIndex = at
    if (!TOKEN.test(text)) return undefined
    const first = text[at]
    const isDictionary = first === '<' && text[at + 1] === '<'
    const number =
      text[TOKEN.lastIndex - 1] === 'R' && first !== '/'
        ? Number.parseInt(text.slice(at, at + 10), 10)
        : 0
    at = TOKEN.lastIndex
    const inside = open.at(-1)
    if (first === '>' || first === ']') {
      const isFitting = inside && inside.isDictionary === (first === '>')
      if (!isFitting || (inside.isDictionary && inside.count % 2 !== 0)) return undefined
      open.pop()
    } else {
      if (inside?.isDictionary && inside.count % 2 === 0 && first !== '/') return undefined
      if (inside) inside.count++
      if (number > HIGHEST_NUMBER) return undefined
      const end = first === '(' ? literalEnd(text, at) : at
      if (end === undefined) return undefined
      at = end
      if (isDictionary || first === '[') open.push({ isDictionary, count: 0 })
    }
    if (open.length === 0) return at
  }
}

/** Behind the bracket that closes the string whose content begins at `start`. */
function literalEnd(text: string, start: number): number | undefined {
  let depth = 1
  for (let at = start; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '(') depth++
    else if (character === ')' && --depth === 0) return at + 1
  }
  return undefined
}

const HEADER = new RegExp(
  `^\\d{1,10}${BLANK}+\\d{1,5}${BLANK}+obj(?![^\\0\\t\\n\\f\\r ()<>\\[\\]{}/%])`,
)
const END = new RegExp(`^${BLANK}*endobj$`)
const STREAM = new RegExp(`^${BLANK}*stream\\r?\\n$`)
const STREAM_END = new RegExp(`^(?:\\r\\n|\\n|\\r)?endstream${BLANK}+endobj$`)

/**
 * Whether all references in a value have the generation of the object to which they lead. Programs that look at it
 * show nothing in place of the object, and the others show it.
 *
 * @see ISO 32000-2:2020, 7.3.10
 */
export function hasRightGenerations(document: PdfDocument, value: PdfObject): boolean {
  if (isRef(value)) {
    const entry = document.entry(value.number)
    const generation = entry?.kind === 'offset' ? entry.generation : 0
    return !entry || entry.kind === 'free' || generation === value.generation
  }
  if (isArray(value)) return value.items.every((item) => hasRightGenerations(document, item))
  if (typeof value !== 'object') return true
  let isRight = true
  entriesOf(value).forEach((item) => {
    isRight &&= hasRightGenerations(document, item)
  })
  return isRight
}

/** How an object leaves the syntax of the standard; undefined if it does not. @see ISO 32000-2:2020, 7.3.8 and 7.3.10 */
export function faultOfBody(
  document: PdfDocument,
  { span, value }: ObjectBody,
):
  | Extract<IrregularityCode, 'object-malformed' | 'length-wrong' | 'generation-differs'>
  | undefined {
  const { source, resolve } = document
  if (!hasRightGenerations(document, value)) return 'generation-differs'
  const data = isStream(value) ? value.data : undefined
  const text = latin1(source.read(span.start, data?.start ?? span.end))
  const header = HEADER.exec(text)?.[0].length
  const end = header === undefined ? undefined : plainValueEnd(text, header)
  if (end === undefined) return 'object-malformed'
  const rest = text.slice(end)
  if (!isStream(value)) return END.test(rest) ? undefined : 'object-malformed'
  const length = asCount(resolve(value.dictionary.entries.get('Length')))
  if (length !== value.data.end - value.data.start) return 'length-wrong'
  const tail = latin1(source.read(value.data.end, span.end))
  return STREAM.test(rest) && STREAM_END.test(tail) ? undefined : 'object-malformed'
}
