import { readFileSync } from 'node:fs'
import { readTrueType } from '#server/domain/pdf/true-type.ts'

export const FONT_FILE = 'server/fonts/RubricaSans-Bold.ttf'

/**
 * A font with one letter, as Latin-1 text, and the code of the letter.
 *
 * @param unitsPerEm 2000 for letters of their own size, fewer for larger ones
 */
export function fontWith(letter: string, unitsPerEm: number): { program: string; code: string } {
  const font = readTrueType(new Uint8Array(readFileSync(FONT_FILE)))
  const { id } = font.glyphs.get(letter.codePointAt(0)!)!
  const program = font.program([id])
  const view = new DataView(program.buffer, program.byteOffset)
  for (let at = 12; at < 12 + 16 * view.getUint16(4); at += 16)
    if (String.fromCharCode(...program.subarray(at, at + 4)) === 'head')
      view.setUint16(view.getUint32(at + 8) + 18, unitsPerEm)
  return {
    program: Buffer.from(program).toString('latin1'),
    code: id.toString(16).padStart(4, '0'),
  }
}
