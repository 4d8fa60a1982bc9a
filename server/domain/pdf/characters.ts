/*
 * The character classes of the syntax.
 * See ISO 32000-2:2020, 7.2.3, tables 1 and 2.
 */
const WHITE_SPACE = new Set([0, 9, 10, 12, 13, 32])
const DELIMITERS = new Set([...'()<>[]{}/%'].map((character) => character.charCodeAt(0)))

const kinds = new Uint8Array(256)
for (const byte of WHITE_SPACE) kinds[byte] = 1
for (const byte of DELIMITERS) kinds[byte] = 2

export const isWhiteSpace = (byte: number) => byte >= 0 && kinds[byte] === 1
/** Neither white space nor delimiter nor the end of the file. */
export const isRegular = (byte: number) => byte >= 0 && kinds[byte] === 0
export const isDigit = (byte: number) => byte >= 0x30 && byte <= 0x39
export const isEndOfLine = (byte: number) => byte === 10 || byte === 13

/** 0 to 15, or -1. */
export function hexDigit(byte: number): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30
  const letter = byte | 0x20
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : -1
}

export const latin1 = (bytes: Uint8Array) =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export const fromLatin1 = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'))
