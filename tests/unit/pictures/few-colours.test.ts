import { describe, expect, test } from 'vitest'
import { type Pixels, paletteOf } from '#server/adapters/pdf-work/palette.ts'
import { withFewColours } from '#tests/pictures/few-colours.ts'

type Colour = readonly [number, number, number]

/** One row; each colour as often as it is given. */
function rowOf(colours: readonly Colour[]): Pixels {
  const data = Uint8Array.from(colours.flatMap((colour) => [...colour, 255]))
  return { width: colours.length, height: 1, data }
}

const coloursIn = ({ data }: Pixels) =>
  Array.from({ length: data.length / 4 }, (_, index) => [
    ...data.subarray(index * 4, index * 4 + 3),
  ])

/** All different, on a grid of steps of 16. */
const grid = (count: number): Colour[] =>
  Array.from({ length: count }, (_, index) => [
    (index & 15) * 16,
    ((index >> 4) & 15) * 16,
    (index >> 8) * 16,
  ])

describe('few colours', () => {
  test('256 or fewer stay as they are', () => {
    const pixels = rowOf([...grid(255), [1, 1, 1]])
    expect(coloursIn(withFewColours(pixels))).toEqual(coloursIn(pixels))
  })

  test('of more, 256 remain, which a palette holds', () => {
    const few = withFewColours(rowOf(grid(2_000)))
    expect(paletteOf(few)?.colours.length).toBe(256 * 3)
  })

  test('frequent ones stay, and a rare one becomes the nearest of them', () => {
    const often = grid(256).flatMap((colour) => [colour, colour])
    const [rare, nearest]: [Colour, Colour] = [
      [33, 47, 0],
      [32, 48, 0],
    ]
    const few = coloursIn(withFewColours(rowOf([...often, rare])))
    expect(few.slice(0, -1)).toEqual(often)
    expect(few.at(-1)).toEqual(nearest)
  })

  test('a colour that hardly differs from a frequent one leaves its place to others', () => {
    const shades = Array.from({ length: 256 }, (_, index): Colour => [200, 200, index & 7])
    const few = coloursIn(withFewColours(rowOf([...shades, ...shades, ...grid(255)])))
    expect(few.slice(-255)).toEqual(grid(255))
  })
})
