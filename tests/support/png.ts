import { inflateSync } from 'node:zlib'

const CHANNELS: Record<number, number> = { 0: 1, 2: 3, 3: 1 }

/** Reads back what `encodePng` writes, by the standard: grey, colours, or a palette, with filters 0 and 2. */
export function decodePng(png: Uint8Array) {
  const file = Buffer.from(png)
  const chunks = new Map<string, Buffer>()
  for (let at = 8; at < file.length; ) {
    const length = file.readUInt32BE(at)
    chunks.set(file.toString('latin1', at + 4, at + 8), file.subarray(at + 8, at + 8 + length))
    at += length + 12
  }
  const header = chunks.get('IHDR')!
  const [width, height, colourType] = [header.readUInt32BE(0), header.readUInt32BE(4), header[9]!]
  const rowBytes = width * CHANNELS[colourType]!
  const rows = inflateSync(chunks.get('IDAT')!)
  const pixels = new Uint8Array(rowBytes * height)
  for (let y = 0; y < height; y += 1) {
    const filter = rows[y * (rowBytes + 1)]
    for (let x = 0; x < rowBytes; x += 1) {
      const above = filter === 2 && y > 0 ? pixels[(y - 1) * rowBytes + x]! : 0
      pixels[y * rowBytes + x] = rows[y * (rowBytes + 1) + 1 + x]! + above
    }
  }
  const palette = chunks.get('PLTE')
  /** Red, green and blue. */
  function at(x: number, y: number): number[] {
    const index = y * width + x
    if (colourType === 2) return [...pixels.subarray(index * 3, index * 3 + 3)]
    const value = pixels[index]!
    return palette ? [...palette.subarray(value * 3, value * 3 + 3)] : [value, value, value]
  }
  return { width, height, colourType, pixels, at }
}
