/** Where each coefficient of a block belongs. @see ITU-T T.81, figure 5 */
const ZIGZAG = [
  0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20,
  13, 6, 7, 14, 21, 28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52,
  45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
]

/** Of the place (rows) and the frequency (columns) of eight. */
const COSINES = Float32Array.from({ length: 64 }, (_, at) => {
  const [place, frequency] = [at >> 3, at & 7]
  return (
    (frequency === 0 ? Math.SQRT1_2 : 1) *
    Math.cos(((2 * place + 1) * frequency * Math.PI) / 16) *
    0.5
  )
})

const [ROWS, VALUES] = [new Float32Array(64), new Uint8ClampedArray(64)]

/** Where readers stop to agree: some cut farther values off, and others count on from the other end. */
const FARTHEST = 512

/**
 * The samples of a block, row by row; undefined for values that readers do not agree about. The result is used again for
 * the next block.
 *
 * @see ITU-T T.81, A.3.3
 */
export function inverseCosines(
  coefficients: Int16Array,
  quantizer: Uint16Array,
): Uint8ClampedArray | undefined {
  ROWS.fill(0)
  let isFlat = true
  for (let at = 0; at < 64; at++) {
    const value = coefficients[at]! * quantizer[at]!
    if (value === 0) continue
    if (at > 0) isFlat = false
    const [row, frequency] = [ZIGZAG[at]! & 56, ZIGZAG[at]! & 7]
    for (let x = 0; x < 8; x++) ROWS[row + x]! += value * COSINES[8 * x + frequency]!
  }
  const average = (coefficients[0]! * quantizer[0]!) / 8
  if (Math.abs(average) >= FARTHEST) return undefined
  if (isFlat) return VALUES.fill(average + 128)
  for (let x = 0; x < 8; x++)
    for (let y = 0; y < 8; y++) {
      let sum = 0
      for (let row = 0; row < 8; row++) sum += ROWS[8 * row + x]! * COSINES[8 * y + row]!
      if (Math.abs(sum) >= FARTHEST) return undefined
      VALUES[8 * y + x] = sum + 128
    }
  return VALUES
}
