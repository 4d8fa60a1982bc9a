/** A picture in shades of gray. Which end is white is left open: what is printed differs from what is around it. */
export type Gray = { readonly width: number; readonly height: number; readonly samples: Uint8Array }

/** A page of 8.5 by 11 inches that was scanned with 600 dots per inch has 34 million. */
export const MOST_PIXELS = 36_000_000
