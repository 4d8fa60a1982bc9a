import { readFileSync } from 'node:fs'
import { readTrueType } from '#server/domain/pdf/true-type.ts'
import type { SheetFonts } from '#server/domain/signing/paper.ts'
import { type Typeface, typefaceOf } from '#server/domain/signing/typeface.ts'

const known = new Map<string, Typeface>()

/** The fonts of the sheets, from the folder `server/fonts`; each is read and made ready once, when it is needed. */
export const loadSheetFonts = (): SheetFonts => ({
  get regular() {
    return typeface('Regular')
  },
  get bold() {
    return typeface('Bold')
  },
})

function typeface(style: string): Typeface {
  const found = known.get(style) ?? read(style)
  known.set(style, found)
  return found
}

function read(style: string): Typeface {
  const file = readFileSync(new URL(`../fonts/RubricaSans-${style}.ttf`, import.meta.url))
  return typefaceOf(readTrueType(new Uint8Array(file)), style)
}
