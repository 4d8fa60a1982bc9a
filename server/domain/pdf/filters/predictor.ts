import { PdfError } from '#server/domain/pdf/error.ts'

export type PredictorParameters = {
  predictor: number
  colors: number
  bitsPerComponent: number
  columns: number
}

/**
 * The bytes before they were predicted.
 *
 * @throws {PdfError} `damaged` when the parameters make no sense
 * @see ISO 32000-2:2020, 7.4.4.4
 */
export function undoPredictor(data: Uint8Array, parameters: PredictorParameters): Uint8Array {
  const { predictor, colors, bitsPerComponent, columns } = parameters
  if (predictor === 1) return data
  const bitsPerPixel = colors * bitsPerComponent
  const rowLength = Math.ceil((bitsPerPixel * columns) / 8)
  if (!(rowLength > 0 && rowLength < 1 << 26))
    throw new PdfError('damaged', 'a predictor with senseless parameters')
  const pixel = Math.max(1, bitsPerPixel >> 3)
  return predictor === 2
    ? undoTiff(data, rowLength, colors, bitsPerComponent)
    : undoPng(data, rowLength, pixel)
}

function undoTiff(data: Uint8Array, rowLength: number, colors: number, bits: number): Uint8Array {
  if (![1, 2, 4, 8, 16].includes(bits)) throw new PdfError('damaged', `a predictor of ${bits} bits`)
  const out = data.slice()
  const samples = Math.floor((rowLength * 8) / bits)
  for (let row = 0; row < out.length; row += rowLength)
    for (let at = colors; at < samples; at++)
      addSample(out.subarray(row, row + rowLength), at, at - colors, bits)
  return out
}

/** Adds one sample of a row to a later one; both have `bits` bits. */
function addSample(row: Uint8Array, at: number, from: number, bits: number): void {
  if (bits === 16) {
    const sum =
      ((row[2 * at]! << 8) | row[2 * at + 1]!) + ((row[2 * from]! << 8) | row[2 * from + 1]!)
    row[2 * at] = sum >> 8
    row[2 * at + 1] = sum
    return
  }
  const mask = (1 << bits) - 1
  const place = (sample: number) => ({
    octet: (sample * bits) >> 3,
    shift: 8 - bits - ((sample * bits) & 7),
  })
  const [old, now] = [place(from), place(at)]
  const sum = (row[old.octet]! >> old.shift) + (row[now.octet]! >> now.shift)
  row[now.octet] = (row[now.octet]! & ~(mask << now.shift)) | ((sum & mask) << now.shift)
}

function undoPng(data: Uint8Array, rowLength: number, pixel: number): Uint8Array {
  const rows = Math.ceil(data.length / (rowLength + 1))
  const out = new Uint8Array(rows * rowLength)
  let written = 0
  for (let row = 0; row < rows; row++) {
    const from = row * (rowLength + 1)
    const line = data.subarray(from + 1, from + 1 + rowLength)
    undoPngRow(out, row * rowLength, line, data[from]!, rowLength, pixel)
    written += line.length
  }
  return out.subarray(0, written)
}

function undoPngRow(
  out: Uint8Array,
  at: number,
  line: Uint8Array,
  type: number,
  rowLength: number,
  pixel: number,
): void {
  for (let x = 0; x < line.length; x++) {
    const left = x >= pixel ? out[at + x - pixel]! : 0
    const above = at > 0 ? out[at + x - rowLength]! : 0
    const corner = at > 0 && x >= pixel ? out[at + x - rowLength - pixel]! : 0
    out[at + x] = line[x]! + predicted(type, left, above, corner)
  }
}

function predicted(type: number, left: number, above: number, corner: number): number {
  switch (type) {
    case 1:
      return left
    case 2:
      return above
    case 3:
      return (left + above) >> 1
    case 4:
      return paeth(left, above, corner)
    default:
      return 0
  }
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner
  const toLeft = Math.abs(estimate - left)
  const toAbove = Math.abs(estimate - above)
  const toCorner = Math.abs(estimate - corner)
  if (toLeft <= toAbove && toLeft <= toCorner) return left
  return toAbove <= toCorner ? above : corner
}
