import { expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { compareDocuments } from '#server/domain/verification/changes/comparison.ts'
import { signatureCover } from '#server/domain/verification/changes/cover/signature-cover.ts'
import { cpuTimeOf } from '#tests/support/cpu-time.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'
import { bar, trueTypeWith } from '#tests/support/pdf/true-type-font.ts'

const BODIES = bodiesWithPages(1, '/AcroForm 8 0 R')
const signed = pdfWithTable({ ...BODIES, 8: '<</Fields[]>>' })
/** A later signature that the list of annotations of its page names again and again. */
const named = (times: number): Bodies => ({
  8: '<</Fields[50 0 R]>>',
  10: BODIES[10]!.replace('/Contents', `/Annots[${'50 0 R '.repeat(times)}]/Contents`),
  50: '<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[0 0 300 300]/F 4/P 10 0 R/V 51 0 R/AP<</N 52 0 R>>>>',
  51: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
  52: streamBody('1 g 0 0 300 300 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'),
})

const read = (file: Uint8Array) => readDocument(memorySource(file))

test('cover of a signature: a list of annotations costs as much as it is long', async () => {
  const comparison = compareDocuments(read(signed), read(appendTable(signed, named(60_000))))
  let cover: ReturnType<typeof signatureCover> | undefined
  const time = await cpuTimeOf(() => {
    cover = signatureCover(comparison, [50])
  })
  expect(cover).toEqual({ page: 1, content: 'hidden' })
  expect(time).toBeLessThan(1500)
})

test('cover of a signature: a list of annotations may hold what is none', () => {
  const list = { ...named(1), 10: named(1)[10]!.replace('[50', '[null 7 50') }
  const comparison = compareDocuments(read(signed), read(appendTable(signed, list)))
  expect(signatureCover(comparison, [50])).toEqual({ page: 1, content: 'hidden' })
})

/** A fill of many curves, each of which is as high as the look. */
const tall = Array.from({ length: 19_900 }, (_, at) =>
  at % 2 === 0 ? '0 90 0 300 9 400 c' : '9 300 9 90 0 0 c',
).join(' ')

test('cover of a signature: a fill of many tall curves costs as much as it has curves', async () => {
  const look = streamBody(`0 0 m ${tall} f`, '/Type/XObject/Subtype/Form/BBox[0 0 300 400]')
  const widget = named(1)[50]!.replace('300 300]', '300 400]')
  const bodies: Bodies = { ...named(1), 50: widget, 52: look }
  const comparison = compareDocuments(read(signed), read(appendTable(signed, bodies)))
  const time = await cpuTimeOf(() => signatureCover(comparison, [50]))
  expect(time).toBeLessThan(1500)
})

/** A look with round forms, each as large as the look. */
function withDiscs(count: number, width: number) {
  const box = `[0 0 ${width} 400]`
  const disc = `0 200 m 0 400 ${width} 400 ${width} 200 c ${width} 0 0 0 0 200 c f `
  const look = streamBody(disc.repeat(count), `/Type/XObject/Subtype/Form/BBox${box}`)
  const widget = named(1)[50]!.replace('[0 0 300 300]', box)
  const bodies: Bodies = { ...named(1), 50: widget, 52: look }
  return compareDocuments(read(signed), read(appendTable(signed, bodies)))
}

test('cover of a signature: the strips of emblems are paid for, and few are made of wide ones', () => {
  const spentOn = (count: number, width: number) => {
    const comparison = withDiscs(count, width)
    const spend = vi.spyOn(comparison.after.meter, 'spend')
    signatureCover(comparison, [50])
    return spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)
  }
  const [one, many] = [spentOn(1, 1600), spentOn(150, 1600)]
  expect(one).toBeGreaterThan(40_000)
  expect(one).toBeGreaterThan(10 * spentOn(1, 16))
  expect(many).toBeGreaterThan(5 * one)
  expect(many).toBeLessThan(15 * one)
})

/** The font 40 of the signed document, of which the code 1 is a block. */
const BLOCKS = trueTypeWith([bar(0, 0), bar(700, 700)])
const DESCENDANT =
  '<</Type/Font/Subtype/CIDFontType2/BaseFont/Own/CIDToGIDMap/Identity/FontDescriptor 42 0 R/DW 700/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>'
const FONTS: Bodies = {
  40: '<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/DescendantFonts[41 0 R]>>',
  41: DESCENDANT,
  42: '<</Type/FontDescriptor/FontName/Own/Flags 4/FontFile2 43 0 R>>',
  43: streamBody(BLOCKS, `/Length1 ${BLOCKS.length}`),
  44: '<</Type/Font/Subtype/Type0/BaseFont/Helvetica/Encoding/Identity-H/DescendantFonts[45 0 R]>>',
  45: DESCENDANT.replace('42', '46').replace('/CIDToGIDMap/Identity', ''),
  46: '<</Type/FontDescriptor/FontName/Helvetica/Flags 4>>',
}

/**
 * What a look of 300 by 30 points does to the page with this content, over which it lies from (90, 90) on; `note` are
 * more entries of a stamp on the signed page, from (100, 95) to (130, 110).
 */
function comparedWith(content: string, look: string, later: Bodies = {}, note?: string) {
  const page = BODIES[10]!.replace('/Font<<', '/XObject<</Im 18 0 R>>/Font<</F2 40 0 R')
  const before = pdfWithTable({
    ...{ ...BODIES, ...FONTS, 8: '<</Fields[]>>' },
    10: page
      .replace('300 300]', '400 300]')
      .replace('/Contents', note === undefined ? '/Contents' : '/Annots[60 0 R]/Contents'),
    60: `<</Subtype/Stamp/Rect[100 95 130 110]/AP<</N 61 0 R>>>>`,
    61: streamBody('1 w 9 1 m 9 9 l S', `/Type/XObject/Subtype/Form/BBox[0 0 30 15]${note ?? ''}`),
    11: streamBody(content),
    18: printedScan(),
  })
  const after = appendTable(before, {
    ...named(1),
    10: page.replace('300 300]', '400 300]').replace('/Contents', '/Annots[50 0 R]/Contents'),
    50: named(1)[50]!.replace('[0 0 300 300]', '[90 90 390 120]'),
    52: streamBody(
      look,
      '/Type/XObject/Subtype/Form/BBox[0 0 300 30]/Resources<</Font<</F2 40 0 R/F3 44 0 R/F9 47 0 R>>>>',
    ),
    47: '<</Type/Font/Subtype/Type0/BaseFont/Helvetica/Encoding/Identity-H/DescendantFonts[45 0 R]>>',
    ...later,
  })
  return compareDocuments(read(before), read(after))
}

const coverOf = (...settings: Parameters<typeof comparedWith>): string =>
  signatureCover(comparedWith(...settings), [50]).content

/** Seven points high, from (100, 99) on. */
const AMOUNT = 'BT /F1 10 Tf 100 100 Td (1000) Tj ET'
/** Blocks over the lower half of the amount, and a line over the upper half. */
const LOWER = `BT 0 g /F2 5.5 Tf 5 9 Td <${'0001'.repeat(12)}> Tj ET`
const UPPER = '0 G 2.8 w 5 14.4 m 50 14.4 l S'

test.each([
  ['shows a text below a line over half of it', UPPER, 'above'],
  ['leaves a doubt where letters that are blocks stand over half of a text', LOWER, 'doubtful'],
  [
    'leaves a doubt where blocks hide one half and a line the other',
    `${LOWER} ${UPPER}`,
    'doubtful',
  ],
])('cover of a signature: %s', (_, look, content) => {
  expect(coverOf(AMOUNT, look)).toBe(content)
})

test('cover of a signature: letters whose outlines are unknown leave a doubt over a text', () => {
  const written = (font: string) => `BT 0 g /${font} 5.5 Tf 5 9 Td <0001> Tj ET`
  expect(coverOf(AMOUNT, written('F9'))).toBe('doubtful')
  expect(coverOf('', written('F9'))).toBe('none')
})

/** Lines that leave nothing of a scan below them, from so many points on. */
const hatched = (from: number, foot = 0) =>
  Array.from(
    { length: 20 },
    (_, at) => `0 G 1.5 w ${from + 1.6 * at} ${foot} m ${from + 1.6 * at} 30 l S`,
  )

test('cover of a signature: only what is drawn over a picture makes it doubtful', () => {
  const picture = 'q 60 0 0 60 100 90 cm /Im Do Q'
  expect(coverOf(picture, hatched(20).join(' '))).toBe('doubtful')
  expect(coverOf(picture, hatched(100).join(' '))).toBe('above')
})

test('cover of a signature: what is drawn above a picture does not make it doubtful', () => {
  const low = 'q 60 0 0 10 100 90 cm /Im Do Q'
  expect(coverOf(low, hatched(20).join(' '))).toBe('doubtful')
  expect(coverOf(low, hatched(20, 17).join(' '))).toBe('above')
})

test('cover of a signature: a note that is not read may show something anywhere below the look', () => {
  const beside = hatched(100).join(' ')
  expect(coverOf('', beside, {}, '')).toBe('above')
  expect(coverOf('', beside, {}, '/Matrix[1 .2 0 1 0 0]')).toBe('doubtful')
})

test('cover of a signature: letters below lines cost as much as each is compared with each', () => {
  const many = (one: (at: number) => string) => Array.from({ length: 200 }, (_, at) => one(at))
  const content = many((at) => `BT /F1 2 Tf ${100 + at} 100 Td (a) Tj ET`).join(' ')
  const look = many((at) => `0 G .1 w ${at} 0 m ${at} 30 l S`).join(' ')
  const comparison = comparedWith(content, look)
  const spend = vi.spyOn(comparison, 'spend')
  signatureCover(comparison, [50])
  const spent = spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
  expect(spent).toBeGreaterThan((200 * 200) / 100)
  expect(spent).toBeLessThan((5 * 200 * 200) / 100)
})

test('cover of a signature: the letters of a hundred are compared with those near to them', () => {
  const times = (count: number, one: (at: number) => string) =>
    Array.from({ length: count }, (_, at) => one(at)).join(' ')
  const page = times(5000, (at) => `1 0 0 1 ${(at % 50) * 6} ${Math.floor(at / 50) * 3} Tm (ab) Tj`)
  const look = times(200, (at) => `1 0 0 1 ${(at % 20) * 4} ${Math.floor(at / 20) * 2} Tm (a) Tj`)
  const form = '/Type/XObject/Subtype/Form/BBox[0 0 80 20]/Resources<</Font<</F1 3 0 R>>>>'
  const numbers = Array.from({ length: 100 }, (_, at) => 100 + at)
  const withText = pdfWithTable({
    ...BODIES,
    8: '<</Fields[]>>',
    11: streamBody(`BT /F1 2 Tf ${page} ET`),
  })
  const list = numbers.map((number) => `${number} 0 R`).join(' ')
  const later = appendTable(withText, {
    8: `<</Fields[${list}]>>`,
    10: BODIES[10]!.replace('/Contents', `/Annots[${list}]/Contents`),
    52: streamBody(`BT /F1 1 Tf ${look} ET`, form),
    ...Object.fromEntries(
      numbers.map((number, at) => {
        const [left, bottom] = [(at % 3) * 80, (at % 14) * 20]
        return [
          number,
          `<</FT/Sig/T(f${at})/Type/Annot/Subtype/Widget/Rect[${left} ${bottom} ${left + 80} ${bottom + 20}]/F 4/P 10 0 R/AP<</N 52 0 R>>>>`,
        ]
      }),
    ),
  })
  const comparison = compareDocuments(read(withText), read(later))
  const spend = vi.spyOn(comparison, 'spend')
  for (const number of numbers) signatureCover(comparison, [number])
  const spent = spend.mock.calls.reduce((sum, [steps]) => sum + steps, 0)
  // Each with each would be a million steps more, which is all that a comparison may take.
  expect(spent).toBeLessThan(500_000)
})
