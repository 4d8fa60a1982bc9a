import type { NamedFont } from '#server/domain/pdf/canvas.ts'
import type { PdfDocument } from '#server/domain/pdf/document.ts'
import {
  type EmbeddableFont,
  embeddable,
  embedFont,
  isEmbedded,
} from '#server/domain/pdf/embedded-font.ts'
import type { ObjectStore } from '#server/domain/pdf/new-document.ts'
import type { PdfRef } from '#server/domain/pdf/object.ts'
import type { TrueTypeFont } from '#server/domain/pdf/true-type.ts'

/** A font of the sheets, in the two extents in which it is embedded. */
export type Typeface = NamedFont & {
  /** A subset with Western European letters and Spanish punctuation: almost always enough. */
  readonly usual: (listsGlyphs?: boolean) => EmbeddableFont
  /** The whole font. */
  readonly whole: (listsGlyphs?: boolean) => EmbeddableFont
}

/** Western European letters and Spanish punctuation. */
const USUAL: ReadonlySet<number> = new Set([
  ...span(0x20, 0x7e),
  ...span(0xa0, 0xff),
  ...[...'–—‘’“”…•€№'].map((sign) => sign.codePointAt(0)!),
])

/** Each extent is built on first use. @param style `Regular` */
export function typefaceOf(font: TrueTypeFont, style: string): Typeface {
  const made = (characters: Iterable<number>) => {
    const embedded = new Map<boolean, EmbeddableFont>()
    return (listsGlyphs = false) => {
      const made = embedded.get(listsGlyphs)
      const one = made ?? embeddable(font, `RubricaSans-${style}`, characters, listsGlyphs)
      embedded.set(listsGlyphs, one)
      return one
    }
  }
  return { name: style, font, usual: made(USUAL), whole: made([...font.glyphs.keys()]) }
}

/** Whether the subset contains every character of the text. */
export function isUsual(text: string): boolean {
  for (const sign of text) if (!USUAL.has(sign.codePointAt(0)!)) return false
  return true
}

/**
 * Embeds the font in a file, unless the file contains it.
 *
 * @param known where the file may contain it
 */
export function placeTypeface(
  store: ObjectStore,
  { usual, whole }: Typeface,
  { isAllUsual, listsGlyphs }: { isAllUsual: boolean; listsGlyphs: boolean },
  known?: { document: PdfDocument; ref: PdfRef },
): PdfRef {
  const font = (isAllUsual ? usual : whole)(listsGlyphs)
  if (known && isEmbedded(known.document, known.ref, font)) return known.ref
  return embedFont(store, font)
}

export const widthOf = (text: string, { font }: NamedFont, size: number): number => {
  let units = 0
  for (const sign of text) units += font.glyphs.get(sign.codePointAt(0)!)?.advance ?? 0
  return (units * size) / font.unitsPerEm
}

function span(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}
