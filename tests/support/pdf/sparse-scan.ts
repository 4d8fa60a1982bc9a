import { closeSync, ftruncateSync, openSync, writeSync } from 'node:fs'

/**
 * Writes a PDF of black pictures, one a page, as large as a real scan; the picture data are holes of the file, so that
 * it takes almost no room on the disk.
 *
 * @param side of each square picture, in pixels; its data have `side`² bytes, or three times as many in colour
 * @param points of each square page
 */
export function writeSparseScan(
  file: string,
  { pages, side, points = 612, isColoured = false }: SparseScan,
): void {
  const descriptor = openSync(file, 'w')
  const offsets: number[] = []
  let position = 0
  const write = (text: string) => {
    position += writeSync(descriptor, text, position, 'latin1')
  }
  const object = (number: number, body: string) => {
    offsets[number] = position
    write(`${number} 0 obj\n${body}\nendobj\n`)
  }
  const numbers = Array.from({ length: pages }, (_, index) => 3 + 3 * index)
  write('%PDF-1.7\n')
  object(1, '<</Type/Catalog/Pages 2 0 R>>')
  object(2, `<</Type/Pages/Count ${pages}/Kids[${numbers.map((n) => `${n} 0 R`).join(' ')}]>>`)
  const content = `q ${points} 0 0 ${points} 0 0 cm /Im0 Do Q`
  const [space, channels] = isColoured ? ['DeviceRGB', 3] : ['DeviceGray', 1]
  for (const n of numbers) {
    const resources = `<</XObject<</Im0 ${n + 2} 0 R>>>>`
    const box = `[0 0 ${points} ${points}]`
    object(
      n,
      `<</Type/Page/Parent 2 0 R/MediaBox${box}/Resources${resources}/Contents ${n + 1} 0 R>>`,
    )
    object(n + 1, `<</Length ${content.length}>>\nstream\n${content}\nendstream`)
    offsets[n + 2] = position
    const length = side * side * channels
    write(
      `${n + 2} 0 obj\n<</Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/${space}/BitsPerComponent 8/Length ${length}>>\nstream\n`,
    )
    position += length
    write('\nendstream\nendobj\n')
  }
  const start = position
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`)
  write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  ftruncateSync(descriptor, position)
  closeSync(descriptor)
}

export type SparseScan = { pages: number; side: number; points?: number; isColoured?: boolean }
