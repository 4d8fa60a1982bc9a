import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'

export const sheetFonts = loadSheetFonts()
