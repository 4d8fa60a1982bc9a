import { readFileSync } from 'node:fs'
import { readTrueType } from '#server/domain/pdf/true-type.ts'
import type { SheetFonts } from '#server/domain/signing/paper.ts'
import { typefaceOf } from '#server/domain/signing/typeface.ts'

let fonts: SheetFonts | undefined

/** The fonts of the sheets, from the folder `server/fonts`; read and made ready once. */
export function loadSheetFonts(): SheetFonts {
  fonts ??= { regular: read('Regular'), bold: read('Bold') }
  return fonts
}

function read(style: string) {
  const file = readFileSync(new URL(`../fonts/RubricaSans-${style}.ttf`, import.meta.url))
  return typefaceOf(readTrueType(new Uint8Array(file)), style)
}
