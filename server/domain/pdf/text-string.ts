import { latin1 } from './characters.ts'

/*
 * PDFDocEncoding where it differs from Latin-1.
 * See ISO 32000-2:2020, annex D.2.
 */
const LOW = '˘ˇˆ˙˝˛˚˜'
const HIGH = '•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž'

const ASCII = /^[\x20-\x7e\r\n\t]*$/

/**
 * The text of a text string: UTF-16 or UTF-8 with their marks, else PDFDocEncoding.
 *
 * @see ISO 32000-2:2020, 7.9.2.2
 */
export function decodeText(bytes: Uint8Array): string {
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf)
    return new TextDecoder('utf-8').decode(bytes)
  const text = latin1(bytes)
  // Most texts have nothing but ASCII.
  if (ASCII.test(text)) return text
  return Array.from(text, (character) => {
    const code = character.charCodeAt(0)
    if (code === 0xa0) return '€'
    if (code >= 0x18 && code < 0x20) return LOW[code - 0x18]!
    return code >= 0x80 && code < 0x9f ? HIGH[code - 0x80]! : character
  }).join('')
}

/** The bytes of a text string: one byte a character where ASCII suffices, else UTF-16 with its mark. */
export function encodeText(text: string): Uint8Array {
  if (ASCII.test(text)) return new Uint8Array(Buffer.from(text, 'latin1'))
  const units = Buffer.from(`\ufeff${text}`, 'utf16le')
  return new Uint8Array(units.swap16())
}
