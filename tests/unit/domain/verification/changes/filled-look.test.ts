import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { type FormField, formFields } from '#server/domain/pdf/form-fields.ts'
import {
  array,
  byteString,
  dictionary,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { isRichTextSame, showsItsValue } from '#server/domain/verification/changes/filled-look.ts'
import { widgetPlaces } from '#server/domain/verification/changes/widget-places.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

const text = (value: string) => byteString(bytesOf(value))
const document = { resolve: (value?: PdfObject) => value ?? null } as PdfDocument

test.each<[string, PdfObject, PdfObject | undefined, boolean]>([
  ['says the value', text('<p>mil <b>pesos</b></p>'), text('mil pesos'), true],
  ['says it with signs by name', text('<p>A &amp; B</p>'), text('A & B'), true],
  ['says it with signs by number', text('<p>A &#38; &#x42;</p>'), text('A & B'), true],
  ['says another value', text('<p>dos mil</p>'), text('mil'), false],
  ['is no text', name('mil'), text('mil'), false],
  ['is missing', null, text('mil'), true],
  ['is there without a value', text('<p>mil</p>'), undefined, false],
  ['is there beside a value that is no text', text('<p>mil</p>'), name('mil'), false],
  ['is missing, as the value is', null, undefined, true],
])('rich text that %s', (_, written, value, isSame) => {
  expect(isRichTextSame(document, { value } as FormField, written)).toBe(isSame)
})

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]'

/** A field that is not seen, with a look that draws the form 9. */
const hidden = () => {
  const plain = bodiesWithPages(1, '/AcroForm<</Fields[5 0 R]/DR<</Font<</F1 3 0 R>>>>>>')
  return signed(
    pdfWithTable({
      ...plain,
      5: '<</FT/Tx/T(Precio)/V(1)/Subtype/Widget/F 2/Rect[0 0 90 9]/AP<</N 7 0 R>>>>',
      7: streamBody('/X Do', `${FORM}/Resources<</XObject<</X 9 0 R>>>>`),
      9: streamBody('BT /F1 6 Tf 2 2 Td (1) Tj ET', `${FORM}/Resources<</Font<</F1 3 0 R>>>>`),
      10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
    }),
  )
}

test('a field that is not seen: may keep its old look, and may not draw something else in it', () => {
  const kept = changed(hidden(), (update) => edit(update, 5, { V: text('1000') }))
  expect(changesIn(kept)).toMatchObject([{ level: 'FORM_FILLING', code: 'field-filled' }])
  const redrawn = changed(hidden(), (update) => {
    edit(update, 5, { V: text('1000') })
    update.set(
      reference(9),
      newStream('BT /F1 6 Tf 2 2 Td (9000) Tj ET', { Subtype: name('Form') }),
    )
  })
  const otherValue = { level: 'OTHER', code: 'field-shows-other-value' }
  expect(changesIn(redrawn)).toMatchObject([otherValue])
  const stated = changed(hidden(), (update) =>
    edit(update, 5, { V: text('1000'), AP: dictionary({ N: dictionary({ On: reference(9) }) }) }),
  )
  expect(changesIn(stated)).toMatchObject([otherValue])
})

test('a field that is seen: its look is paid for by what it draws', () => {
  const plain = bodiesWithPages(1, '/AcroForm<</Fields[5 0 R]/DR<</Font<</F1 3 0 R>>>>>>')
  const base = pdfWithTable({
    ...plain,
    5: '<</FT/Tx/T(Precio)/Subtype/Widget/Rect[0 0 90 9]>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
  })
  const spentOn = (edges: number) => {
    const lines = '0 0 m 90 0 l S '.repeat(edges)
    const file = changed(base, (update) => {
      const look = `${lines}BT /F1 6 Tf 2 2 Td (1000) Tj ET`
      const [Subtype, BBox] = [name('Form'), array([0, 0, 90, 9])]
      const N = update.add(newStream(look, { Type: name('XObject'), Subtype, BBox }))
      edit(update, 5, { V: text('1000'), AP: dictionary({ N }) })
    })
    const [before, after] = [base, file].map((one) => readDocument(memorySource(one)))
    const spend = vi.fn()
    const comparison = { ...compareDocuments(before!, after!), spend }
    const [field] = formFields(after!)
    expect(showsItsValue(comparison, field!, widgetPlaces(before!))).toBe(true)
    return spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
  }
  expect(spentOn(100)).toBe(spentOn(0) + 100)
})
