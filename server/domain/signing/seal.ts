/*
 * The logo: a guilloche ring around a disc with a letter R cut out. One drawing for paper and screen, as SVG
 * paths, so that printed sheets and the top bar show the same mark.
 */

/** Side of the square that contains the seal. */
export const SEAL_SIZE = 64

const CENTER = SEAL_SIZE / 2
const RIM_RADIUS = 31
const DISC_RADIUS = 17.5
const ELLIPSES = 12

/** The R with its counter, from the upper left corner of the square. */
const LETTER =
  'M22.8 21.5H34C39.4 21.5 42.2 23.8 42.2 27.4C42.2 30.5 40.1 32.5 36.7 33.2L41.3 39.9' +
  'C41.9 40.8 42.5 41.1 43.6 41.2V42.5H37.7L32 33.8H29.4V39.8C29.4 40.8 29.9 41.1 31.3 41.2V42.5' +
  'H22.8V41.2C24.2 41.1 24.7 40.8 24.7 39.8V24.2C24.7 23.2 24.2 22.9 22.8 22.8Z' +
  'M29.4 23.1V32.2H32.7C35.6 32.2 37.3 30.5 37.3 27.6C37.3 24.7 35.6 23.1 32.7 23.1Z'

export type SealDrawing = {
  /** Thin lines: rim, and ellipses turned about the centre. */
  guilloche: string
  guillocheWidth: number
  /** Filled by the even-odd rule, so that the letter is transparent. */
  disc: string
}

/** The paths of the seal in a square of `SEAL_SIZE` units, y downwards. */
export function sealDrawing(): SealDrawing {
  const turns = Array.from({ length: ELLIPSES }, (_, index) => (index * 180) / ELLIPSES)
  return {
    guilloche: circle(RIM_RADIUS) + turns.map((turn) => ellipse(29.2, 20.5, turn)).join(''),
    guillocheWidth: 0.7,
    disc: circle(DISC_RADIUS) + LETTER,
  }
}

function circle(radius: number): string {
  return ellipse(radius, radius, 0)
}

/** Two arcs between the ends of the long axis, which is turned by `turn` degrees. */
function ellipse(long: number, short: number, turn: number): string {
  const angle = (turn * Math.PI) / 180
  const x = round(long * Math.cos(angle))
  const y = round(long * Math.sin(angle))
  const arc = (toX: number, toY: number) => `a${long} ${short} ${turn} 1 0 ${toX} ${toY}`
  const [dx, dy] = [round(2 * x), round(2 * y)]
  return `M${round(CENTER + x)} ${round(CENTER + y)}${arc(-dx, -dy)}${arc(dx, dy)}`
}

const round = (value: number) => Math.round(value * 10) / 10 + 0
