import { type Box, DOTS_PER_INCH, type Picture, type Word } from './look.ts'

/* Places on a page, in points, and the pixels of its picture there. */

export const SCALE = DOTS_PER_INCH / 72

/** Points that a place may be off. */
const NEAR = 0.5

export const isSameWord = (one: Word, other: Word) =>
  one.text === other.text &&
  (['left', 'top', 'right', 'bottom'] as const).every(
    (side) => Math.abs(one.place![side] - other.place![side]) < NEAR,
  )

type Pixel = { x: number; y: number }
export type Area = { left: number; top: number; right: number; bottom: number }

/** Whole pixels, `inwards` of the edge; at least one. */
export function areaOf(box: Box, { width, height }: Picture, inwards = 0): Area {
  const left = Math.max(0, Math.floor(box.left * SCALE) + inwards)
  const top = Math.max(0, Math.floor(box.top * SCALE) + inwards)
  return {
    left,
    top,
    right: Math.min(width, Math.max(left + 1, Math.ceil(box.right * SCALE) - inwards)),
    bottom: Math.min(height, Math.max(top + 1, Math.ceil(box.bottom * SCALE) - inwards)),
  }
}

export function pixelsIn({ left, top, right, bottom }: Area): Pixel[] {
  const pixels: Pixel[] = []
  for (let y = top; y < bottom; y++) for (let x = left; x < right; x++) pixels.push({ x, y })
  return pixels
}

export const grayAt = ({ gray, width }: Picture, { x, y }: Pixel) => gray[y * width + x]!

export const isPixelIn = (area: Area, { x, y }: Pixel) =>
  x >= area.left && x < area.right && y >= area.top && y < area.bottom
