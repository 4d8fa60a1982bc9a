import { readFileSync } from 'node:fs'
import type { SheetFonts } from '#server/domain/signing/paper.ts'

let fonts: SheetFonts | undefined

/** The fonts of the signature sheet, from the folder `server/fonts`; always the same bytes. */
export function loadSheetFonts(): SheetFonts {
  fonts ??= { regular: read('RubricaSans-Regular.ttf'), bold: read('RubricaSans-Bold.ttf') }
  return fonts
}

const read = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fonts/${name}`, import.meta.url)))
