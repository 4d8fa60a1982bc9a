import { describe, expect, test } from 'vitest'
import type { Pixels } from '#server/adapters/pdf-work/palette.ts'
import { encodePng } from '#server/adapters/pdf-work/png.ts'
import { decodePng } from '#tests/support/png.ts'

const [GREY, COLOURS, PALETTE] = [0, 2, 3]

/** A picture of `count` colours, each of them at least once. */
function picture(count: number, colour: (index: number) => [number, number, number]): Pixels {
  const width = 37
  const height = Math.ceil(count / width) + 3
  const data = new Uint8Array(width * height * 4)
  for (let at = 0; at < width * height; at += 1) data.set([...colour(at % count), 7], at * 4)
  return { width, height, data }
}

const coloured = (index: number): [number, number, number] => [index & 255, index >> 8, 200]

describe('a picture as PNG', () => {
  test.each<[string, number, Pixels]>([
    ['256 greys are grey', GREY, picture(256, (index) => [index, index, index])],
    ['one colour has a palette', PALETTE, picture(1, coloured)],
    ['256 colours have a palette', PALETTE, picture(256, coloured)],
    ['257 colours have none', COLOURS, picture(257, coloured)],
    ['65,000 colours have none', COLOURS, picture(65_000, coloured)],
    [
      'a single pixel that is not quite grey is a colour',
      PALETTE,
      picture(2, (one) => [one, 0, 0]),
    ],
  ])('%s, and each pixel is as it was', (_, colourType, pixels) => {
    const read = decodePng(encodePng(pixels))
    expect([read.width, read.height, read.colourType]).toEqual([
      pixels.width,
      pixels.height,
      colourType,
    ])
    for (let y = 0; y < pixels.height; y += 1)
      for (let x = 0; x < pixels.width; x += 1) {
        const at = (y * pixels.width + x) * 4
        if (read.at(x, y).some((channel, index) => channel !== pixels.data[at + index]))
          expect([x, y, read.at(x, y)]).toEqual([x, y, [...pixels.data.subarray(at, at + 3)]])
      }
  })
})
