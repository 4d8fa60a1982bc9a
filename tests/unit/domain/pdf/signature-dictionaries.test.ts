import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import {
  signatureDictionaries,
  signatureFields,
} from '#server/domain/pdf/signature-dictionaries.ts'
import { certificationLevel, fieldLockOf } from '#server/domain/pdf/signature-permissions.ts'
import {
  type Bodies,
  bodiesWithPages,
  pdfWithObjectStream,
  pdfWithTable,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'

const SIGNATURE = '<</Type/Sig/Filter/X/SubFilter/Y/ByteRange[0 10 20 30]/Contents<00ff>>>'

const withForm = (fields: string, more: Bodies, catalogEntries = '') =>
  pdfWithTable({
    ...bodiesWithPages(1, `/AcroForm<</Fields[${fields}]>>${catalogEntries}`),
    ...more,
  })

const read = (bytes: Uint8Array) => readDocument(memorySource(bytes))

test('names, types and values are inherited', () => {
  const document = read(
    withForm('5 0 R', {
      5: '<</T(Notar\xeda)/FT/Sig/Kids[6 0 R 7 0 R]>>',
      6: '<</T(uno)/V 8 0 R/Kids[9 0 R]>>',
      7: '<</T<FEFF006400F3 0073>>>',
      8: SIGNATURE,
      9: '<</Subtype/Widget>>',
    }),
  )
  const fields = signatureFields(document)
  expect(fields.map(({ name }) => name)).toEqual(['Notaría.uno', 'Notaría.dós'])
  expect(fields[0]!.widgets).toEqual([{ kind: 'ref', number: 9, generation: 0 }])
  expect(signatureDictionaries(document)).toHaveLength(1)
})

test('the place of /Contents is where the dictionary has it', () => {
  const bytes = withForm('5 0 R', { 5: '<</T(a)/FT/Sig/V 8 0 R>>', 8: SIGNATURE })
  const [signature] = signatureDictionaries(read(bytes))
  const { start, end } = signature!.contentsSpan!
  expect(textOf(bytes.subarray(start, end))).toBe('<00ff>')
  expect([...signature!.contents!]).toEqual([0, 255])
})

test('a signature written into its field is found', () => {
  const bytes = withForm('5 0 R', { 5: `<</T(a)/FT/Sig/V ${SIGNATURE}>>` })
  const [signature] = signatureDictionaries(read(bytes))
  expect(signature).toMatchObject({ fieldNames: ['a'], byteRange: [0, 10, 20, 30] })
  expect(textOf(bytes.subarray(signature!.contentsSpan!.start, signature!.contentsSpan!.end))).toBe(
    '<00ff>',
  )
})

test('a signature that two fields share is listed once', () => {
  const document = read(
    withForm('5 0 R 6 0 R', {
      5: '<</T(a)/FT/Sig/V 8 0 R>>',
      6: '<</T(b)/FT/Sig/V 8 0 R>>',
      8: SIGNATURE,
    }),
  )
  expect(signatureDictionaries(document).map(({ fieldNames }) => fieldNames)).toEqual([['a', 'b']])
})

test('a field that is its own kid is a field', () => {
  const document = read(
    withForm('5 0 R', { 5: '<</T(a)/FT/Sig/V 8 0 R/Kids[5 0 R]>>', 8: SIGNATURE }),
  )
  expect(signatureDictionaries(document).map(({ fieldNames }) => fieldNames)).toEqual([['a']])
})

test('a signature that no field leads to is listed without names', () => {
  const document = read(withForm('', { 8: SIGNATURE, 9: '<</ByteRange[0 1]/Contents()>>' }))
  const found = signatureDictionaries(document)
  expect(found.map(({ ref, fieldNames }) => [ref?.number, fieldNames])).toEqual([
    [8, []],
    [9, []],
  ])
})

test('signature dictionary: missing and malformed numbers are reported', () => {
  const document = read(
    withForm('5 0 R', {
      5: '<</T(a)/FT/Sig/V 8 0 R>>',
      8: '<</Type/Sig/ByteRange[0 (x) /y null]/Contents null/Contents 7>>',
    }),
  )
  expect(signatureDictionaries(document)[0]).toMatchObject({
    byteRange: [0, { kind: 'string' }, { kind: 'name' }, null],
    contents: undefined,
    contentsSpan: undefined,
    repeatedKeys: ['Contents'],
  })
})

test('a signature in an object stream has no place in the file', () => {
  const bytes = pdfWithObjectStream({
    ...bodiesWithPages(1, '/AcroForm<</Fields[5 0 R]>>'),
    5: '<</T(a)/FT/Sig/V 8 0 R>>',
    8: SIGNATURE,
  })
  expect(signatureDictionaries(read(bytes))[0]).toMatchObject({
    contentsSpan: undefined,
    byteRange: [0, 10, 20, 30],
  })
})

const certified = (parameters: string) =>
  withForm(
    '5 0 R',
    {
      5: '<</T(a)/FT/Sig/V 8 0 R/Lock<</Action/Include/Fields[(b)(c)]>>>>',
      8: `<</Type/Sig/Reference[<</TransformMethod/DocMDP/TransformParams<<${parameters}>>>>]/Contents<00>/ByteRange[]>>`,
    },
    '/Perms<</DocMDP 8 0 R>>',
  )

test.each([
  ['/P 1', 1],
  ['/P 3.0', 3],
  ['', 2],
  ['/P 9', 2],
])('a certification with %s is of level %d', (parameters, level) => {
  expect(certificationLevel(read(certified(parameters)))).toBe(level)
})

test('a document without /Perms is not certified', () => {
  expect(certificationLevel(read(pdfWithTable(bodiesWithPages(1))))).toBeUndefined()
})

test('a field lists the fields that its signature locks', () => {
  const document = read(certified(''))
  expect(fieldLockOf(document, signatureFields(document)[0]!.dictionary)).toEqual({
    action: 'Include',
    fields: ['b', 'c'],
  })
})
