import { createCipheriv } from 'node:crypto'
import { closeSync, openSync, writeSync } from 'node:fs'

/**
 * Writes a PDF as a scanner makes them: one uncompressed grey picture a page, so that the file has about
 * `pages` × `side`² bytes. The picture is noise, always the same.
 */
export function writeScannedPdf(file: string, pages: number, side: number): void {
  const descriptor = openSync(file, 'w')
  const noise = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16))
  const silence = Buffer.alloc(side * side)
  const offsets: number[] = []
  let position = 0
  const write = (bytes: Buffer | string) => {
    const buffer = Buffer.from(bytes as string, 'latin1')
    for (let done = 0; done < buffer.length; ) done += writeSync(descriptor, buffer, done)
    position += buffer.length
  }
  const begin = (number: number) => {
    offsets[number] = position
    write(`${number} 0 obj\n`)
  }
  const object = (number: number, body: string) => {
    begin(number)
    write(`${body}\nendobj\n`)
  }
  const stream = (number: number, entries: string, data: Buffer) => {
    begin(number)
    write(`<</Length ${data.length}${entries}>>\nstream\n`)
    write(data)
    write('\nendstream\nendobj\n')
  }

  const numbers = Array.from({ length: pages }, (_, index) => 3 + 3 * index)
  write('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n')
  object(1, '<</Type/Catalog/Pages 2 0 R>>')
  object(2, `<</Type/Pages/Count ${pages}/Kids[${numbers.map((n) => `${n} 0 R`).join(' ')}]>>`)
  for (const n of numbers) {
    const resources = `<</XObject<</Im0 ${n + 2} 0 R>>>>`
    object(
      n,
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Resources${resources}/Contents ${n + 1} 0 R>>`,
    )
    stream(n + 1, '', Buffer.from('q 612 0 0 792 0 0 cm /Im0 Do Q'))
    const picture = `/Type/XObject/Subtype/Image/Width ${side}/Height ${side}/ColorSpace/DeviceGray/BitsPerComponent 8`
    stream(n + 2, picture, noise.update(silence))
  }
  const start = position
  const rows = offsets.slice(1).map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`)
  write(`xref\n0 ${offsets.length}\n0000000000 65535 f \n${rows.join('')}`)
  write(`trailer\n<</Size ${offsets.length}/Root 1 0 R>>\nstartxref\n${start}\n%%EOF\n`)
  closeSync(descriptor)
}
