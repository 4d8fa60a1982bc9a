import { expect, test } from 'vitest'
import { array, dictionary, name, reference } from '#server/domain/pdf/object.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'
/** A field (5) with two widgets (6 and 7), of which the looks share a form (9), and an embedded font. */
const bodies = (page = ''): Bodies => {
  const plain = bodiesWithPages(2, '/AcroForm<</Fields[5 0 R]>>')
  const widget = `<</Subtype/Widget/Parent 5 0 R/Rect[0 0 9 9]/AP<</N 8 0 R>>>>`
  return {
    ...plain,
    5: '<</FT/Tx/T(Precio)/V(1000)/Kids[6 0 R 7 0 R]>>',
    6: widget,
    7: widget,
    8: streamBody('/X Do', `${LOOK}/Resources<</XObject<</X 9 0 R>>>>`),
    9: streamBody('0 0 9 9 re f', LOOK),
    10: plain[10]!.replace('/Contents', '/Annots[6 0 R 7 0 R]/Contents').replace('3 0 R', '40 0 R'),
    12: plain[12]!.replace('/Font<<', `${page}/Font<<`),
    40: '<</Type/Font/Subtype/Type1/BaseFont/Own/FontDescriptor 41 0 R/ToUnicode 43 0 R/Encoding 44 0 R>>',
    41: '<</Type/FontDescriptor/FontName/Own/Flags 32/FontFile 42 0 R>>',
    42: streamBody('glyphs'),
    43: streamBody('codes'),
    44: '<</Differences[49/one]>>',
  }
}
const file = (page = '') => signed(pdfWithTable(bodies(page)))

test.each([5, 6, 7])(
  'change: of the field or one of its widgets (%i) is named after the field',
  (number) => {
    const later = changed(file(), (update) => edit(update, number, { Rect: array([0, 0, 90, 90]) }))
    expect(changesIn(later)).toMatchObject([
      { level: 'OTHER', code: 'field-changed', parameters: { field: 'Precio' } },
    ])
  },
)

test.each([42, 43])(
  'change: of a file with the letters or the codes of a font (%i) is called a shadow',
  (number) => {
    const later = changed(file(), (update) => update.set(reference(number), newStream('otras')))
    expect(changesIn(later)).toMatchObject([
      { level: 'OTHER', code: 'font-changed', attack: 'shadow-replace' },
    ])
  },
)

test('change: of the encoding of a font is called a shadow', () => {
  const later = changed(file(), (update) =>
    edit(update, 44, { Differences: array([49, name('two')]) }),
  )
  expect(changesIn(later)).toMatchObject([{ code: 'font-changed', attack: 'shadow-replace' }])
})

test('change: of what a look and a page share is called sneaky', () => {
  const shared = file('/XObject<</X 9 0 R>>')
  const later = changed(shared, (update) =>
    update.set(reference(9), newStream('1 g', { Subtype: name('Form') })),
  )
  expect(changesIn(later)).toContainEqual(
    expect.objectContaining({ level: 'OTHER', object: '9 0', attack: 'sneaky-sharing' }),
  )
})

test('change: of what only the page used before its field leads there is called sneaky', () => {
  const later = changed(file(), (update) => {
    update.set(reference(13), newStream('1 g'))
    edit(update, 6, { AP: dictionary({ N: reference(13) }) })
  })
  expect(changesIn(later)).toContainEqual(
    expect.objectContaining({ level: 'OTHER', object: '13 0', attack: 'sneaky-sharing' }),
  )
})

test('change: what a signature says of the document does not belong to its field', () => {
  const certification = '<</TransformMethod/DocMDP/Data 10 0 R>>'
  const twice = {
    ...bodies(),
    1: bodies()[1]!.replace('[5 0 R]', '[5 0 R 50 0 R]'),
    50: '<</FT/Sig/T(Otra)/V 51 0 R>>',
    51: `<</Type/Sig/Reference[${certification}]>>`,
  }
  const later = changed(signed(pdfWithTable(twice)), (update) =>
    update.set(reference(11), newStream('BT (9) Tj ET')),
  )
  expect(changesIn(later)).toMatchObject([
    { code: 'page-content-replaced', attack: 'incremental-saving' },
  ])
})
