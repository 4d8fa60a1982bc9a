/** Opaque pixels, four bytes each: red, green, blue, and one that is not looked at. */
export type Pixels = { width: number; height: number; data: Uint8Array }

export type Palette = {
  /** Red, green, blue of each colour, in the order in which they were met. */
  colours: Uint8Array
  /** The index of the colour of the pixel at `at` in `data`. */
  indexOf(data: Uint8Array, at: number): number
}

const MOST_COLOURS = 256
/** Places of the table, a power of two: few colours share one. */
const PLACES = 4096

/** The colours of the pixels; undefined if there are more than 256. */
export function paletteOf({ data }: Pixels): Palette | undefined {
  // Each place holds a colour plus one, so that 0 is an empty place; a colour looks for the next free one.
  const keys = new Uint32Array(PLACES)
  const indexes = new Uint8Array(PLACES)
  const colours: number[] = []

  function placeOf(at: number, pixels: Uint8Array): number {
    const key = 1 + ((pixels[at]! << 16) | (pixels[at + 1]! << 8) | pixels[at + 2]!)
    let place = (Math.imul(key, 0x9e3779b1) >>> 20) % PLACES
    while (keys[place] !== 0 && keys[place] !== key) place = (place + 1) % PLACES
    if (keys[place] === 0) {
      keys[place] = key
      indexes[place] = colours.length / 3
      colours.push(pixels[at]!, pixels[at + 1]!, pixels[at + 2]!)
    }
    return place
  }

  for (let at = 0; at < data.length; at += 4) {
    placeOf(at, data)
    if (colours.length > MOST_COLOURS * 3) return undefined
  }
  return {
    colours: Uint8Array.from(colours),
    indexOf: (pixels, at) => indexes[placeOf(at, pixels)]!,
  }
}
