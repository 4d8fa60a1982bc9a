import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { widgetPlaces } from '#server/domain/verification/changes/widget-places.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

/** Widgets on a page with this size, which is written as it is. */
function placesOn(size: string) {
  const plain = bodiesWithPages(2)
  const widget = (rectangle: string) => `<</Subtype/Widget/Rect${rectangle}>>`
  const file = pdfWithTable({
    ...plain,
    12: plain[12]!
      .replace('/MediaBox[0 0 300 300]', size)
      .replace('/Contents', '/Annots[30 0 R 31 0 R 32 0 R]/Contents'),
    30: widget('[0 0 75 60]'),
    31: widget('[0 0 60 61]'),
    32: widget('[0 0 76 60]'),
  })
  const places = widgetPlaces(readDocument(memorySource(file)))
  return [30, 31, 32, 33].map((number) => [places.pageOf(number), places.isSmall(number)])
}

test('widgets: are small up to a twentieth of their page and 60 points of height', () => {
  expect(placesOn('/MediaBox[0 0 300 300]')).toEqual([
    [2, true],
    [2, false],
    [2, false],
    [undefined, false],
  ])
  expect(placesOn('/MediaBox[0 0 300 300]/CropBox[0 0 100 300]')[0]).toEqual([2, false])
})

test('widgets: none is small on a page without a size', () => {
  expect(placesOn('').map(([, isSmall]) => isSmall)).toEqual([false, false, false, false])
  expect(placesOn('/MediaBox[0 0 /a 9]')[0]).toEqual([2, false])
})
