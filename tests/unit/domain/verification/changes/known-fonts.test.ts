import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { name } from '#server/domain/pdf/object.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { knownFonts } from '#server/domain/verification/changes/known-fonts.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { bar, trueTypeWith } from '#tests/support/pdf/true-type-font.ts'

const program = (width: number) => {
  const font = trueTypeWith([bar(0, 0), bar(width, 700)])
  return streamBody(font, `/Length1 ${font.length}`)
}
const FONT = (encoding: string) =>
  `<</Type/Font/Subtype/TrueType/BaseFont/Own/FirstChar 49/LastChar 50/Widths[600 600]/FontDescriptor 41 0 R/Encoding<</Differences[${encoding}]>>>>`
const DESCRIPTOR = '/Type/FontDescriptor/FontName/Own/Flags 32/FontFile2 42 0 R'
const FORM = (font: number) => `<</Fields[]/DR<</Font<</Own ${font} 0 R>>>>>>`
const BODIES: Bodies = {
  ...bodiesWithPages(1, '/AcroForm 8 0 R'),
  8: FORM(40),
  40: FONT('49/one/two'),
  41: `<<${DESCRIPTOR}>>`,
  42: program(300),
}

function isKnown(later: Bodies, bodies: Bodies = BODIES): boolean {
  const before = pdfWithTable(bodies)
  const [a, b] = [before, appendTable(before, later)].map((file) =>
    readDocument(memorySource(file)),
  )
  const font = lookFonts(b!)(new Map(), name('Own'))
  return compareDocuments(a!, b!).once(knownFonts)(font!)
}

/** The font once more, under other numbers. */
const again = (encoding = '49/one/two', descriptor = DESCRIPTOR, width = 300): Bodies => ({
  8: FORM(50),
  50: FONT(encoding).replace('41 0 R', '51 0 R'),
  51: `<<${descriptor.replace('42 0 R', '52 0 R')}>>`,
  52: program(width),
})

test.each<[string, Bodies]>([
  ['it is the same', { 8: FORM(40) }],
  ['it is written once more', again()],
])('font with letters of its own: is known if %s', (_, later) => {
  expect(isKnown(later)).toBe(true)
})

test.each<[string, Bodies]>([
  ['a letter is called otherwise', { 40: FONT('49/one/three') }],
  ['the first letter is called otherwise', { 40: FONT('49/three/two') }],
  ['more letters are called', { 40: FONT('49/one/two/three') }],
  ['fewer letters are called', { 40: FONT('49/one') }],
  ['its letters are drawn otherwise', { 42: program(600) }],
  ['its descriptor says more', { 41: `<<${DESCRIPTOR}/Own 1>>` }],
  ['its descriptor says something else', { 41: `<<${DESCRIPTOR.replace('32', '4')}>>` }],
  ['its descriptor calls it otherwise', { 41: `<<${DESCRIPTOR.replace('/Own', '/Two')}>>` }],
  ['the copy calls a letter otherwise', again('49/one/three')],
  ['the copy has other letters', again('49/one/two', DESCRIPTOR, 600)],
  ['the descriptor of the copy says more', again('49/one/two', `${DESCRIPTOR}/Own 1`)],
  [
    'the descriptor of the copy says less',
    again('49/one/two', DESCRIPTOR.replace('/Flags 32', '')),
  ],
])('font with letters of its own: is not known if %s', (_, later) => {
  expect(isKnown(later)).toBe(false)
})

test.each([
  ['itself', `${DESCRIPTOR}/Own 40 0 R`, 'null'],
  ['a list that leads to itself', `${DESCRIPTOR}/Own 43 0 R`, '[43 0 R]'],
])('font with letters of its own: is not known if it leads to %s', (_, descriptor, list) => {
  const bodies = { ...BODIES, 41: `<<${descriptor}>>`, 43: list }
  expect(isKnown({ 8: FORM(40) }, bodies)).toBe(false)
})
