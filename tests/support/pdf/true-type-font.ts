import { fontFileOf, words } from './font-file.ts'

type Point = readonly [x: number, y: number]

/** A glyph of these contours. @param isOn whether its outline goes through the points */
export function outlineOf(contours: readonly (readonly Point[])[], isOn = true): string {
  const points = contours.flat()
  const [across, up] = [points.map(([x]) => x), points.map(([, y]) => y)]
  const steps = (values: readonly number[]) =>
    words(...values.map((value, at) => value - (values[at - 1] ?? 0)))
  const box = [Math.min(...across), Math.min(...up), Math.max(...across), Math.max(...up)]
  let end = -1
  const ends = contours.map((contour) => (end += contour.length))
  const flags = (isOn ? '\x01' : '\0').repeat(points.length)
  return words(contours.length, ...box, ...ends, 0) + flags + steps(across) + steps(up)
}

export const bar = (width: number, height: number, bottom = 0) =>
  outlineOf([
    [
      [0, bottom],
      [width, bottom],
      [width, bottom + height],
      [0, bottom + height],
    ],
  ])

/** A font of 1000 units to the em with these glyphs, whose left edges are at 0, as Latin-1 text. */
export function trueTypeWith(glyphs: readonly string[]): string {
  let end = 0
  const places = [0, ...glyphs.map((glyph) => (end += glyph.length))]
  return fontFileOf([
    ['glyf', glyphs.join('')],
    ['head', words(...Array(9).fill(0), 1000, ...Array(15).fill(0), 1)],
    ['hhea', words(...Array(17).fill(0), glyphs.length)],
    ['hmtx', words(600, 0).repeat(glyphs.length)],
    ['loca', places.map((place) => words(place >>> 16, place)).join('')],
    ['maxp', words(0, 1, glyphs.length)],
  ])
}
