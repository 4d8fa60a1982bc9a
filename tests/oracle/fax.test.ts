import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { faxOf } from '#tests/support/pdf/fax.ts'
import {
  bodiesWithPages,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { READERS } from './oracle.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-fax-'))
afterAll(() => rmSync(folder, { recursive: true }))

const WIDTH = 2700
/** White and black runs of all lengths with a code of their own, and rows that follow the ones above them. */
const ROWS = Array.from({ length: 140 }, (_, index) => {
  const run = index <= 64 ? index : Math.min((index - 63) * 64, 2560) + (index % 3)
  const other = index % 2 === 0 ? 3 : 64
  return `${' '.repeat(run)}${'#'.repeat(other)}${' '.repeat(7)}${'#'.repeat(run)}`
    .padEnd(WIDTH, ' # ##  ')
    .slice(0, WIDTH)
})

function pageOf(name: string, data: Uint8Array, entries: string): string {
  const [width, height] = [WIDTH, ROWS.length]
  const file = path.join(folder, name)
  const bodies = {
    ...bodiesWithPages(1),
    10: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</XObject<</Im 18 0 R>>>>/Contents 11 0 R>>`,
    11: streamBody(`q ${width} 0 0 ${height} 0 0 cm /Im Do Q`),
    18: streamBody(
      textOf(data),
      `/Type/XObject/Subtype/Image/Width ${width}/Height ${height}/ColorSpace/DeviceGray${entries}`,
    ),
  }
  writeFileSync(file, pdfWithTable(bodies))
  return file
}

test.each(READERS.map((reader) => [reader.name, reader] as const))(
  'fax: %s draws the rows that were coded',
  async (_, reader) => {
    const samples = Uint8Array.from([...ROWS.join('')], (pixel) => (pixel === '#' ? 0 : 255))
    const fax = `/BitsPerComponent 1/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns ${WIDTH}>>`
    const files = [
      pageOf('fax.pdf', faxOf(ROWS), fax),
      pageOf('plain.pdf', samples, '/BitsPerComponent 8'),
    ]
    const [coded, plain] = await reader.look(files)
    expect(coded).toHaveProperty('pages')
    const dark = (look: typeof coded) =>
      look && 'pages' in look ? look.pages[0]!.picture.gray.map((one) => one >> 3) : undefined
    expect(Buffer.compare(dark(coded)!, dark(plain)!)).toBe(0)
  },
)
