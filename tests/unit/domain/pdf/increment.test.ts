import { expect, test } from 'vitest'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { appendPage } from '#server/domain/pdf/append-page.ts'
import { addForm, addPage, createCanvas } from '#server/domain/pdf/canvas.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { incrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  dictionary,
  entriesOf,
  isArray,
  name,
  type PdfRef,
  withEntries,
} from '#server/domain/pdf/object.ts'
import { pagesOf } from '#server/domain/pdf/pages.ts'
import {
  signatureDictionaries,
  signatureFields,
} from '#server/domain/pdf/signature-dictionaries.ts'
import { addSignatureField } from '#server/domain/pdf/signature-field.ts'
import { fillByteRange } from '#server/domain/pdf/signature-placeholder.ts'
import { parseInstant } from '#server/domain/time.ts'
import { bodiesWithPages, bytesOf, pdfWithTable, textOf } from '#tests/support/pdf/pdf-builders.ts'
import { mutool, onDisk, qpdf, rewritten, VARIANTS } from './variants.ts'

const read = (bytes: Uint8Array) => readDocument(memorySource(bytes))
const lastPage = (document: PdfDocument) => pagesOf(document).at(-1)!.ref!
const sheet = createCanvas({ width: 300, height: 300 })
const nothing = { Font: {}, XObject: {} }

/** Appends a page and signs on it with a visible field; `withPage` false signs on the last page. */
function signed(bytes: Uint8Array, withPage = true): Uint8Array {
  const document = read(bytes)
  const update = incrementalUpdate(document)
  let page: PdfRef = lastPage(document)
  if (withPage) {
    page = addPage(update, sheet, nothing)
    appendPage(update, page)
  }
  const { signature } = addSignatureField(update, {
    page,
    visible: {
      rectangle: [20, 20, 200, 80],
      appearance: addForm(update, sheet, nothing),
    },
    contentsSize: 100,
    subFilter: 'ETSI.CAdES.detached',
    signingTime: parseInstant('2026-11-20T15:05:00Z'),
    reason: 'Autorización',
  })
  const filled = fillByteRange(update.finish(), signature)
  return concatBytes(bytes, filled.bytes)
}

/** `before`: the file as it was; a judge may say of ours what it said of that one, and no more. */
function judgesAccept(bytes: Uint8Array, pages: number, before?: Uint8Array) {
  const file = onDisk(bytes)
  const check = qpdf('--check', file)
  // qpdf answers 3 for a warning.
  expect(check).toMatchObject({ status: 0, errors: '' })
  expect(qpdf('--show-npages', file).output.trim()).toBe(String(pages))
  const seen = mutool('info', file)
  expect(seen.errors).toBe(before ? mutool('info', onDisk(before)).errors : '')
  expect(seen.output).toContain(`Pages: ${pages}`)
}

test.each(Object.keys(VARIANTS))('%s takes a page and two signatures', (variant) => {
  const original = VARIANTS[variant]!()
  const once = signed(original)
  const twice = signed(once, false)
  for (const file of [once, twice]) judgesAccept(file, 4, original)

  expect(textOf(twice.subarray(0, once.length)) === textOf(once)).toBe(true)
  expect(textOf(once.subarray(0, original.length)) === textOf(original)).toBe(true)

  const document = read(twice)
  expect(document.isRepaired).toBe(false)
  expect(document.revisions.map(({ end }) => end)).toEqual([
    expect.any(Number),
    once.length,
    twice.length,
  ])
  expect(signatureFields(document).map((field) => field.name)).toEqual(['Firma1', 'Firma2'])
})

test.each(Object.keys(VARIANTS))(
  'the byte range of a signature in %s leaves out its contents alone',
  (variant) => {
    const file = signed(VARIANTS[variant]!())
    const [signature] = signatureDictionaries(read(file))
    const { byteRange, contentsSpan, contents } = signature!
    expect(byteRange).toEqual([
      0,
      contentsSpan!.start,
      contentsSpan!.end,
      file.length - contentsSpan!.end,
    ])
    expect(textOf(file.subarray(contentsSpan!.start, contentsSpan!.end))).toBe(
      `<${'0'.repeat(200)}>`,
    )
    expect(contents).toHaveLength(100)
  },
)

test('the same update gives the same bytes', () => {
  const original = pdfWithTable(bodiesWithPages(1))
  expect(textOf(signed(original))).toBe(textOf(signed(original)))
})

test('the file keeps its first identifier and gets a new second one', () => {
  const id = read(signed(pdfWithTable(bodiesWithPages(1)))).trailer.entries.get('ID')
  const [first, second] = isArray(id) ? id.items : []
  expect(first).toMatchObject({ bytes: bytesOf('\x00\x11"3DUfw\x88\x99\xaa\xbb\xcc\xdd\xee\xff') })
  expect(second).not.toEqual(first)
})

test('a signature dictionary contains the given values', () => {
  const [signature] = signatureDictionaries(read(signed(pdfWithTable(bodiesWithPages(1)))))
  expect(signature).toMatchObject({
    fieldNames: ['Firma1'],
    filter: 'Adobe.PPKLite',
    subFilter: 'ETSI.CAdES.detached',
    signingTime: "D:20261120150500+00'00'",
    reason: 'Autorización',
    contentsForm: 'hexadecimal',
    repeatedKeys: [],
  })
})

test.each([
  ['in the catalog', '/AcroForm<</Fields[5 0 R]/DA(/Helv 0 Tf)/Own 7>>', undefined],
  ['an object', '/AcroForm 6 0 R', '<</Fields[5 0 R]/DA(/Helv 0 Tf)/Own 7>>'],
  ['an object with indirect fields', '/AcroForm 6 0 R', '<</Fields 7 0 R/DA(/Helv 0 Tf)/Own 7>>'],
])('a form that is %s is extended and keeps its entries', (_, catalogEntries, form) => {
  const original = pdfWithTable({
    ...bodiesWithPages(1, catalogEntries),
    5: '<</FT/Tx/T(Firma1)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]>>',
    ...(form ? { 6: form } : {}),
    7: '[5 0 R]',
  })
  const file = signed(original)
  judgesAccept(file, 2)
  const document = read(file)
  const entries = entriesOf(document.resolve(document.catalog.entries.get('AcroForm')))
  expect(entries.get('Own')).toBe(7)
  expect(entries.get('DA')).toMatchObject({ bytes: bytesOf('/Helv 0 Tf') })
  expect(entries.get('SigFlags')).toBe(3)
  expect(signatureFields(document).map((field) => field.name)).toEqual(['Firma2'])
})

test('a file without a form gets one as an object of its own', () => {
  const document = read(signed(pdfWithTable(bodiesWithPages(1))))
  expect(document.catalog.entries.get('AcroForm')).toMatchObject({ kind: 'ref' })
  expect(signatureFields(document).map((field) => field.name)).toEqual(['Firma1'])
})

test.each([
  ['direct', '/Annots[5 0 R]'],
  ['indirect', '/Annots 6 0 R'],
])('annotations that are %s are kept', (_, annotations) => {
  const bodies = bodiesWithPages(1)
  const original = pdfWithTable({
    ...bodies,
    5: '<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>',
    6: '[5 0 R]',
    10: bodies[10]!.replace('>>/Contents', `>>${annotations}/Contents`),
  })
  const file = signed(original, false)
  judgesAccept(file, 1)
  const document = read(file)
  const list = document.resolve(pagesOf(document)[0]!.dictionary.entries.get('Annots'))
  expect(isArray(list) && list.items).toHaveLength(2)
})

test('an appended page takes nothing from the tree', () => {
  const turned = pdfWithTable(
    bodiesWithPages(2, '', '/Rotate 90/CropBox[0 0 10 10]/MediaBox[0 0 50 50]'),
  )
  const page = pagesOf(read(signed(turned)))[2]!
  expect(page.inherited.get('Rotate')).toBe(0)
  expect(page.inherited.get('CropBox')).toMatchObject({ items: [0, 0, 300, 300] })
  expect(page.inherited.get('MediaBox')).toMatchObject({ items: [0, 0, 300, 300] })
})

test('generation numbers are kept', () => {
  const table = textOf(pdfWithTable(bodiesWithPages(1)))
  const offset = /4 1\n(\d{10}) 00000 n/.exec(table)![1]
  const original = bytesOf(
    table
      .replace('\n4 0 obj', '\n4 3 obj')
      .replace(`${offset} 00000 n`, `${offset} 00003 n`)
      .replace('/Info 4 0 R', '/Info 4 3 R'),
  )
  const document = read(original)
  const update = incrementalUpdate(document)
  update.set({ kind: 'ref', number: 4, generation: 3 }, dictionary({ Own: name('Value') }))
  const file = concatBytes(original, update.finish().bytes)
  judgesAccept(file, 1)
  expect(textOf(file.subarray(original.length))).toContain('4 3 obj')
  expect(qpdf('--show-object=4,3', onDisk(file)).output).toContain('/Own /Value')
})

test('a file whose cross-reference is lost gets a whole new one', () => {
  const lost = bytesOf(textOf(pdfWithTable(bodiesWithPages(3))).replace(/startxref[\s\S]*/, ''))
  judgesAccept(signed(lost), 4)
})

test('a stream can be replaced without touching its other keys', () => {
  const original = pdfWithTable(bodiesWithPages(1))
  const update = incrementalUpdate(read(original))
  const old = entriesOf(update.resolve({ kind: 'ref', number: 11, generation: 0 }))
  update.set(
    { kind: 'ref', number: 11, generation: 0 },
    {
      kind: 'new-stream',
      dictionary: withEntries({ kind: 'dictionary', entries: old }, { Own: array([1]) }),
      data: bytesOf('BT ET'),
    },
  )
  const file = concatBytes(original, update.finish().bytes)
  judgesAccept(file, 1)
  expect(textOf(file)).toContain('/Length 5 /Own [1]')
})

test("a file with an owner's password is refused", () => {
  const encrypted = rewritten(
    pdfWithTable(bodiesWithPages(1)),
    '--encrypt',
    '',
    'owner',
    '256',
    '--',
  )
  expect(() => signed(encrypted)).toThrow(expect.objectContaining({ code: 'change-protected' }))
})
