import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { sheetSizeFor } from '#server/domain/signing/sheet-size.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

/** The size of the sheet of a deed whose last page has these entries. */
function sizeWith(entries: string, above = ''): readonly [number, number] {
  const bodies = bodiesWithPages(2, '', above)
  bodies[12] = `<</Type/Page/Parent 2 0 R${entries}>>`
  const { width, height } = sheetSizeFor(readDocument(memorySource(pdfWithTable(bodies))))
  return [width, height]
}

const LETTER = [612, 792]
const A4 = [595.28, 841.89]
const OFICIO = [612.28, 963.78]

describe('the sheet has the size of the last page', () => {
  test.each([
    ['letter', '/MediaBox[0 0 612 792]', LETTER],
    ['a scanner that rounds', '/MediaBox[0 0 611.52 791.04]', [611.52, 791.04]],
    ['A4', '/MediaBox[0 0 595.276 841.89]', A4],
    ['oficio', '/MediaBox[0 0 612.283 963.779]', OFICIO],
    ['Mexican oficio', '/MediaBox[0 0 612 964.8]', [612, 964.8]],
    ['legal', '/MediaBox[0 0 612 1008]', [612, 1008]],
    ['a page that begins elsewhere', '/MediaBox[-100 -50 512 742]', LETTER],
    ['corners in another order', '/MediaBox[612 792 0 0]', LETTER],
    ['a page cut to letter', '/MediaBox[0 0 700 900]/CropBox[44 54 656 846]', LETTER],
    ['a cut that is larger than the page', '/MediaBox[0 0 612 792]/CropBox[-9 -9 900 900]', LETTER],
    ['a cut that misses the page', '/MediaBox[0 0 612 792]/CropBox[700 800 900 900]', LETTER],
    ['a page in larger units', '/MediaBox[0 0 306 396]/UserUnit 2', LETTER],
    ['a landscape page', '/MediaBox[0 0 841.89 595.28]', A4],
    ['a turned page', '/MediaBox[0 0 964.8 612]/Rotate 90', [612, 964.8]],
    ['a page turned upside down', '/MediaBox[0 0 612 1008]/Rotate -180', [612, 1008]],
  ])('%s', (_, entries, size) => expect(sizeWith(entries)).toEqual(size))

  test('inherited from the tree', () => {
    expect(sizeWith('', '/MediaBox[0 0 595.28 841.89]')).toEqual(A4)
    expect(sizeWith('/MediaBox[0 0 612 792]', '/CropBox[0 0 595.28 841.89]')).toEqual([595.28, 792])
  })
})

describe('the sheet has a size of offices', () => {
  test.each([
    ['a plan in A0', '/MediaBox[0 0 2383.94 3370.39]', A4],
    ['a booklet in A5', '/MediaBox[0 0 419.53 595.28]', A4],
    ['a scan at one point a pixel', '/MediaBox[0 0 2550 3300]', LETTER],
    ['a scan of oficio at one point a pixel', '/MediaBox[0 0 2551 4016]', OFICIO],
    ['a square', '/MediaBox[0 0 1000 1000]', LETTER],
    ['a till receipt', '/MediaBox[0 0 226 2000]', LETTER],
    ['no area', '/MediaBox[0 0 0 792]', LETTER],
    ['no box', '', LETTER],
    ['words instead of numbers', '/MediaBox[(a)(b)(c)(d)]', LETTER],
    ['a number beyond all paper', `/MediaBox[0 0 ${'9'.repeat(400)} 792]`, LETTER],
    ['negative units', '/MediaBox[0 0 612 792]/UserUnit -2', LETTER],
  ])('%s', (_, entries, size) => expect(sizeWith(entries)).toEqual(size))
})
