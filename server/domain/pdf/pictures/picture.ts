/**
 * One component of the samples of a picture: gray, a colour, an ink, brightness or a difference of colour. Neither end is
 * known to be white: what is printed differs from what is around it.
 */
export type Plane = {
  readonly width: number
  readonly height: number
  readonly samples: Uint8Array
}

/** All its components, each of which covers it. Some have fewer samples than others. */
export type Picture = readonly Plane[]

/** Of all components: a gray page of 8.5 by 11 inches that was scanned with 600 dots per inch has 34 million. */
export const MOST_SAMPLES = 54_000_000
