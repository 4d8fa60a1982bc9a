/** The height of a wave at `x`, from the middle of the band. */
type Wave = (x: number) => number

/**
 * The fine interwoven waves of security paper, as SVG paths in a box of `width` by `height`, y downwards.
 * The envelope swells and shrinks, so that the band reads as a chain of knots.
 */
export function guillocheBand(width: number, height: number, lines: number): string[] {
  const length = width / 5
  return Array.from({ length: lines }, (_, index) => {
    const phase = (index / lines) * 2 * Math.PI
    const wave: Wave = (x) => {
      const envelope = 0.62 + 0.38 * Math.cos((2 * Math.PI * x) / (width / 3))
      return envelope * Math.sin((2 * Math.PI * x) / length + phase)
    }
    return curve(wave, width, height)
  })
}

/** Cubic Bézier pieces that meet with the slope of the wave. */
function curve(wave: Wave, width: number, height: number): string {
  const pieces = 48
  const step = width / pieces
  const at = (x: number) => height / 2 + (wave(x) * height) / 2
  const slope = (x: number) => (at(x + 0.01) - at(x - 0.01)) / 0.02
  let path = `M0 ${round(at(0))}`
  for (let piece = 0; piece < pieces; piece += 1) {
    const [from, to] = [piece * step, (piece + 1) * step]
    const first = `${round(from + step / 3)} ${round(at(from) + (slope(from) * step) / 3)}`
    const second = `${round(to - step / 3)} ${round(at(to) - (slope(to) * step) / 3)}`
    path += `C${first} ${second} ${round(to)} ${round(at(to))}`
  }
  return path
}

const round = (value: number) => Math.round(value * 100) / 100 + 0
