import { concatBytes, toHex } from '#server/domain/bytes.ts'
import { fromLatin1, isRegular, latin1 } from './characters.ts'
import type { PdfDictionary, PdfObject, PdfString } from './object.ts'

/** A stream that is not in any file yet. /Length is set when it is written. */
export type NewStream = {
  readonly kind: 'new-stream'
  readonly dictionary: PdfDictionary
  /** After its filters, as they shall stand in the file. */
  readonly data: Uint8Array
}

/** A value in PDF syntax, one character a byte. @throws {TypeError} for a stream: it is no direct value */
export function serialize(value: PdfObject): string {
  if (value === null) return 'null'
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'number') return serializeNumber(value)
  switch (value.kind) {
    case 'name':
      return serializeName(value.value)
    case 'string':
      return serializeString(value)
    case 'ref':
      return `${value.number} ${value.generation} R`
    case 'array':
      return `[${value.items.map(serialize).join(' ')}]`
    case 'dictionary':
      return `<<${[...value.entries].map(([key, item]) => `${serializeName(key)} ${serialize(item)}`).join(' ')}>>`
    case 'stream':
      throw new TypeError('a stream is an indirect object')
  }
}

/** The whole indirect object, from its number to the line end after `endobj`. */
export function serializeObject(
  number: number,
  generation: number,
  value: PdfObject | NewStream,
): Uint8Array {
  const head = `${number} ${generation} obj\n`
  if (typeof value !== 'object' || value?.kind !== 'new-stream')
    return fromLatin1(`${head}${serialize(value)}\nendobj\n`)
  const entries = new Map(value.dictionary.entries).set('Length', value.data.length)
  return concatBytes(
    fromLatin1(`${head}${serialize({ kind: 'dictionary', entries })}\nstream\n`),
    value.data,
    fromLatin1('\nendstream\nendobj\n'),
  )
}

/** Never in exponential form, which the syntax does not know. */
function serializeNumber(value: number): string {
  if (Number.isSafeInteger(value)) return String(value)
  if (Number.isInteger(value)) return BigInt(value).toString()
  return value.toFixed(10).replace(/\.?0+$/, '')
}

const ONLY_PLAIN = /^[A-Za-z0-9_.+-]*$/

function serializeName(value: string): string {
  if (ONLY_PLAIN.test(value)) return `/${value}`
  const escaped = value.replace(/[\s\S]/g, (character) => {
    const code = character.charCodeAt(0)
    const isPlain = code > 0x20 && code < 0x7f && isRegular(code) && code !== 0x23
    return isPlain ? character : `#${code.toString(16).padStart(2, '0')}`
  })
  return `/${escaped}`
}

function serializeString({ bytes, form }: PdfString): string {
  if (form === 'hexadecimal') return `<${toHex(bytes)}>`
  const escaped = latin1(bytes).replace(/[\\()\r]/g, (character) =>
    character === '\r' ? '\\r' : `\\${character}`,
  )
  return `(${escaped})`
}
