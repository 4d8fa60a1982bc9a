/** Of the letters of the usual fonts, in thousandths, by how wide they are made. */
const USUAL: readonly (readonly [RegExp, number])[] = [
  [/[\s!'()*,./:;I[\\\]`fijlrt|¡¨´·Ììí]/u, 280],
  [/[%@MWmw©®Œœ]/u, 870],
  [/[A-ZÀ-Þ]/u, 680],
]

/** In thousandths. */
export const usualWidthOf = (letter: string): number =>
  USUAL.find(([letters]) => letters.test(letter))?.[1] ?? 540

/**
 * Whether a letter moves the next one as far as letters do: all readers stack letters to which the list of the font
 * gives no width, so that 8000 reads as 80. A sign may be of any width.
 *
 * @param letter that is drawn; undefined when the font does not say it
 * @param width in thousandths
 */
export function isUsualWidth(
  letter: string | undefined,
  width: number,
  { isEmbedded }: { isEmbedded: boolean },
): boolean {
  if (letter && !/[\p{L}\p{N}]/u.test(letter)) return width >= 0
  if (!letter || !/[0-9A-Za-z]/.test(letter)) return width > 0
  const usual = usualWidthOf(letter)
  return isEmbedded
    ? width >= usual * NARROWEST_EMBEDDED
    : width >= usual * NARROWEST && width <= usual * WIDEST
}

/** In parts of the usual width: narrow and wide fonts that readers have, and the narrowest that come with a file. */
const [NARROWEST, WIDEST, NARROWEST_EMBEDDED] = [0.45, 2.5, 0.3] as const
