import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { byteString, name, type PdfObject } from '#server/domain/pdf/object.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import {
  defaultSizeIn,
  isPlainDefault,
} from '#server/domain/verification/changes/default-appearance.ts'
import { bodiesWithPages, bytesOf, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

const FORM =
  '/AcroForm<</Fields[]/DR<</Font<</F1 3 0 R/Signs<</Type/Font/Subtype/Type1/BaseFont/ZapfDingbats>>>>>>>>'
const document = readDocument(memorySource(pdfWithTable(bodiesWithPages(1, FORM))))
const comparison = compareDocuments(document, document)
const text = (value: string) => byteString(bytesOf(value))

test.each<[string, PdfObject | undefined, boolean]>([
  ['that is missing', undefined, true],
  ['that is null', null, true],
  ['that is no text', name('F1'), false],
  ['as programs write it', text('/F1 9 Tf 0 g'), true],
  ['that lets readers choose the size', text('/F1 0 Tf'), true],
  ['with the smallest size', text('/F1 2 Tf'), true],
  ['with a smaller size', text('/F1 1.9 Tf'), false],
  ['with the largest size', text('/F1 24 Tf'), true],
  ['with a larger size', text('/F1 25 Tf'), false],
  ['with a colour space', text('/DeviceRGB cs 0 0 0.5 sc /F1 9 Tf'), true],
  ['with a colour space that is named early', text('/DeviceGray cs /F1 9 Tf 0 scn'), true],
  ['with white in a colour space', text('/DeviceRGB cs 1 1 1 sc /F1 9 Tf'), false],
  ['with a colour space that is not there', text('/Own cs 0 sc /F1 9 Tf'), false],
  ['in white', text('1 g /F1 9 Tf'), false],
  ['in signs', text('/Signs 9 Tf'), false],
  ['with an instruction more', text('/F1 9 Tf 3 Tr'), false],
  ['with too little', text('9 Tf'), false],
  ['that cannot be read', text('('), false],
])('default appearance: %s', (_, written, isPlain) => {
  expect(isPlainDefault(comparison, written)).toBe(isPlain)
})

test('default appearance: a mistake of ours is not taken for one that cannot be read', () => {
  const isKnown = () => {
    throw new RangeError('ours')
  }
  const broken = { ...comparison, once: () => isKnown } as unknown as typeof comparison
  expect(() => isPlainDefault(broken, text('/F1 9 Tf'))).toThrow(RangeError)
})

test.each<[string, PdfObject, number | undefined]>([
  ['as programs write it', text('/F1 9 Tf 0 g'), 9],
  ['of the last font', text('/F1 9 Tf /F1 4.5 Tf'), 4.5],
  ['that lets readers choose', text('/F1 0 Tf'), undefined],
  ['without a font', text('0 g'), undefined],
  ['that is no text', null, undefined],
])('size of a default appearance %s', (_, written, size) => {
  expect(defaultSizeIn(comparison.after, written)).toBe(size)
})
