import { readFileSync } from 'node:fs'
import type { SheetFonts } from '#server/domain/signing/paper.ts'

/** The fonts of the signature sheet, from the folder `server/fonts`. */
export function loadSheetFonts(): SheetFonts {
  return { regular: read('RubricaSans-Regular.ttf'), bold: read('RubricaSans-Bold.ttf') }
}

const read = (name: string) =>
  new Uint8Array(readFileSync(new URL(`../fonts/${name}`, import.meta.url)))
