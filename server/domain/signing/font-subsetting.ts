import type { PDFDocument } from '@cantoo/pdf-lib'
import fontkit from '@pdf-lib/fontkit'

type FontEngine = Parameters<PDFDocument['registerFontkit']>[0]
type Font = Extract<Awaited<ReturnType<FontEngine['create']>>, { createSubset: unknown }>

/**
 * The font engine for `registerFontkit`. The writer calls `encode` on a subset where it finds one; that of
 * this engine wants a stream, so a subset shows its stream alone.
 */
export const fontEngine: FontEngine = {
  create(bytes) {
    const font = fontkit.create(bytes) as unknown as Font
    const createSubset = font.createSubset.bind(font)
    font.createSubset = () => {
      const subset = createSubset()
      return {
        includeGlyph: (glyph) => subset.includeGlyph(glyph),
        encodeStream: () => subset.encodeStream!(),
      }
    }
    return font
  },
}
