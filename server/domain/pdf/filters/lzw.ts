import { PdfError } from '#server/domain/pdf/error.ts'

const CLEAR = 256
const END = 257

/**
 * The decoded bytes.
 *
 * @param earlyChange 1 when the code length grows one code early, else 0
 * @throws {PdfError} `too-complex` above `limit` bytes
 * @see ISO 32000-2:2020, 7.4.4
 */
export function decodeLzw(data: Uint8Array, earlyChange: number, limit: number): Uint8Array {
  const out: Uint8Array[] = []
  let total = 0
  let table = freshTable()
  let previous: Uint8Array | undefined
  let width = 9
  let held = 0
  let heldBits = 0
  for (const byte of data) {
    held = ((held << 8) | byte) & 0xffffff
    heldBits += 8
    if (heldBits < width) continue
    heldBits -= width
    const code = (held >> heldBits) & ((1 << width) - 1)
    if (code === END) break
    if (code === CLEAR) {
      table = freshTable()
      previous = undefined
      width = 9
      continue
    }
    const entry = table[code] ?? (previous && extended(previous, previous[0]!))
    if (!entry) break
    out.push(entry)
    total += entry.length
    if (total > limit)
      throw new PdfError('too-complex', `a stream expands to more than ${limit} bytes`)
    if (previous && table.length < 4096) table.push(extended(previous, entry[0]!))
    previous = entry
    const next = table.length + earlyChange
    width = next >= 2048 ? 12 : next >= 1024 ? 11 : next >= 512 ? 10 : 9
  }
  return new Uint8Array(Buffer.concat(out, total))
}

function freshTable(): Uint8Array[] {
  const table = Array.from({ length: 256 }, (_, byte) => Uint8Array.of(byte))
  return [...table, new Uint8Array(), new Uint8Array()]
}

function extended(head: Uint8Array, last: number): Uint8Array {
  const entry = new Uint8Array(head.length + 1)
  entry.set(head)
  entry[head.length] = last
  return entry
}
