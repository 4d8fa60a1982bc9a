import type { Run } from './marks.ts'

/** How much lighter one part of a text may be than another. */
export const MOST_UNLIKE_SHADE = 0.3

/** None, or one of about the same colour: readers draw no line thinner than a pixel. */
export const hasPlainOutline = ({ mode, lineWidth, size, lightness, outline }: Run) =>
  mode === 0 ||
  (mode === 2 &&
    lineWidth <= size / 15 &&
    Math.abs((lightness ?? 1) - (outline ?? 0)) <= MOST_UNLIKE_SHADE)
