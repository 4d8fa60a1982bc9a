import { fromLatin1, latin1 } from '#server/domain/pdf/characters.ts'
import { tablesOf } from '#server/domain/pdf/true-type.ts'

/** Bytes as Latin-1 text. */
export type Table = readonly [tag: string, text: string]

export const words = (...values: number[]) =>
  values.map((value) => String.fromCharCode((value >> 8) & 255, value & 255)).join('')
const long = (value: number) => words(value >>> 16, value)

/** A font file of these tables, in their order, as Latin-1 text. */
export function fontFileOf(tables: readonly Table[], version = '\0\x01\0\0'): string {
  let offset = 12 + 16 * tables.length
  const directory = tables.map(([tag, text]) => {
    const row = `${tag}${long(0)}${long(offset)}${long(text.length)}`
    offset += text.length
    return row
  })
  const head = `${version}${words(tables.length, 0, 0, 0)}`
  return head + directory.join('') + tables.map(([, text]) => text).join('')
}

/** The tables of a font file, to be put together in another way. */
export const tablesIn = (program: string): Table[] =>
  [...tablesOf(fromLatin1(program))].map(([tag, view]) => [
    tag,
    latin1(new Uint8Array(view.buffer, view.byteOffset, view.byteLength)),
  ])
