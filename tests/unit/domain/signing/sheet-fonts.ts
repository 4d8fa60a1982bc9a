import { readFileSync } from 'node:fs'
import type { SheetFonts } from '#server/domain/signing/paper.ts'

const read = (style: string) =>
  new Uint8Array(
    readFileSync(new URL(`../../../../server/fonts/RubricaSans-${style}.ttf`, import.meta.url)),
  )

export const sheetFonts: SheetFonts = { regular: read('Regular'), bold: read('Bold') }
