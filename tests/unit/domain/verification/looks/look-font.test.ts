import { describe, expect, test, vi } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { entriesOf, name } from '#server/domain/pdf/object.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import { fontWith } from '#tests/support/pdf/giant-font.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { documentOf } from './drawn.ts'

const { program } = fontWith('—', 2000)
const FILE = streamBody(program, `/Length1 ${program.length}`)
const [FIRST, RESOURCES] = [1000, 20]

/** Fonts of a form, each with a descriptor of its own, and how their font files are written. */
function formWith(fonts: number, files: Bodies, fileOf: (font: number) => number) {
  const numbers = Array.from({ length: fonts }, (_, at) => FIRST + at)
  const list = numbers.map((number) => `/F${number} ${number} 0 R`).join('')
  const bodies: Bodies = {
    ...bodiesWithPages(1),
    [RESOURCES]: `<</Font<<${list}>>>>`,
    ...files,
    ...Object.fromEntries(
      numbers.map((number) => [
        number,
        `<</Subtype/TrueType/Encoding/WinAnsiEncoding/FontDescriptor<</FontFile2 ${fileOf(number - FIRST)} 0 R>>>>`,
      ]),
    ),
  }
  const document = readDocument(memorySource(pdfWithTable(bodies)))
  const resources = entriesOf(document.object(RESOURCES)?.value)
  const fontNamed = lookFonts(document)
  return { document, read: numbers.map((one) => fontNamed(resources, name(`F${one}`))!) }
}

test('fonts of looks: a font file is measured once, however many fonts name it', () => {
  const aliases = Array.from({ length: 30 }, (_, at) => 31 + at)
  const files = { 30: FILE, ...Object.fromEntries(aliases.map((alias) => [alias, '30 0 R'])) }
  const { document, read } = formWith(900, files, (font) => 30 + (font % 31))
  const known = read[0]!.bounds()
  expect(known).toMatchObject({ bottom: 0 })
  const spend = vi.spyOn(document.meter, 'spend')
  for (const font of read.slice(1)) expect(font.bounds()).toBe(known)
  // Only the references are read.
  const spent = spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)
  expect(spent).toBeLessThan(program.length / 4)
})

test('fonts of looks: each font file has bounds of its own', () => {
  const giant = fontWith('—', 16).program
  const files = { 30: FILE, 31: streamBody(giant, `/Length1 ${giant.length}`), 32: streamBody('x') }
  const { read } = formWith(3, files, (font) => 30 + font)
  const [usual, large, broken] = read.map((font) => font.bounds())
  expect(usual!.right).toBeLessThan(2)
  expect(large!.right).toBeGreaterThan(40)
  expect(broken).toBeUndefined()
})

/** The fonts that these resources name. */
function fontsOf(fonts: string, others: Bodies = {}) {
  const document = documentOf({ [RESOURCES]: `<</Font<<${fonts}>>>>`, ...others })
  const resources = entriesOf(document.object(RESOURCES)?.value)
  const fontNamed = lookFonts(document)
  return (font: string) => fontNamed(resources, name(font))
}
const SIMPLE = '/Subtype/TrueType/BaseFont/Own/Encoding/WinAnsiEncoding'

describe('fonts of looks: a name', () => {
  test('of no font has none', () => {
    const named = fontsOf('/F1 null/F2 99 0 R/F3 3 0 R')
    expect(['F1', 'F2', 'F4'].map(named)).toEqual([undefined, undefined, undefined])
    expect(named('F3')).toBeDefined()
  })

  test('has the font that is written there, though others are written beside it', () => {
    const named = fontsOf(`/F1<<${SIMPLE}>>/F2<</Subtype/Type3/BaseFont/Own>>`)
    expect(['F1', 'F2', 'F1'].map((one) => named(one)?.isDrawn)).toEqual([false, true, false])
  })

  test('has the same font in other resources, and in resources that are read anew', () => {
    const document = documentOf({ 20: '<</Font<</F1 3 0 R>>>>', 21: '<</Font<</F2 3 0 R>>>>' })
    const fontNamed = lookFonts(document)
    const [one, other] = [20, 21].map((number) => entriesOf(document.object(number)?.value))
    expect(fontNamed(other!, name('F2'))).toBe(fontNamed(one!, name('F1')))
  })

  test('has a font that is kept while no more than 256 others are used after it', () => {
    const many = Array.from({ length: 257 }, (_, at) => `F${at}`)
    const bodies = Object.fromEntries(many.map((_, at) => [FIRST + at, `<<${SIMPLE}>>`]))
    const list = many.map((font, at) => `/${font} ${FIRST + at} 0 R`).join('')
    const named = fontsOf(list, bodies)
    const [first, second] = many.slice(0, 256).map(named)
    expect(named('F0')).toBe(first)
    named('F256')
    // The first one was used again, so that the second one was the oldest.
    expect(named('F0')).toBe(first)
    expect(named('F1')).not.toBe(second)
  })
})

test.each([
  ['/Identity-H', false],
  ['/Identity-V', true],
  ['30 0 R', false],
  ['31 0 R', true],
])(
  'fonts of looks: letters of a composite font are written downwards by %s: %s',
  (encoding, isVertical) => {
    const others = { 30: streamBody(''), 31: streamBody('', '/WMode 1') }
    const written = (type: string) => `/F1<</Subtype/${type}/Encoding ${encoding}>>`
    expect(fontsOf(written('Type0'), others)('F1')).toMatchObject({ isVertical })
    expect(fontsOf(written('TrueType'), others)('F1')).toMatchObject({ isVertical: false })
  },
)

describe('fonts of looks: letters', () => {
  const read = (entries: string, letters: string, others: Bodies = {}) =>
    fontsOf(`/F1<<${entries}>>`, others)('F1')?.read(bytesOf(letters))

  test('of a font that readers have are those of its encoding, and no others by its table', () => {
    const table = (code: string) =>
      streamBody(
        `1 begincodespacerange <00> <ff> endcodespacerange 1 beginbfchar <41> <${code}> endbfchar`,
      )
    const withTable = (code: string) => read(`${SIMPLE}/ToUnicode 30 0 R`, 'A', { 30: table(code) })
    expect(withTable('0041')).toBe('A')
    expect(withTable('0042')).toBeUndefined()
    expect(read(SIMPLE, 'A')).toBe('A')
  })

  const areApart = (entries: string, letters: string, others: Bodies = {}) =>
    fontsOf(`/F1<<${entries}>>`, others)('F1')?.areApart(bytesOf(letters))
  const EMBEDDED = { 30: FILE }

  test.each(['', '/MissingWidth 500'])(
    'without a width stand over the next ones: %s',
    (missing) => {
      const font = `${SIMPLE}/FirstChar 98/Widths[500]/FontDescriptor<<${missing}>>`
      expect([areApart(font, 'ab'), areApart(font, 'ba')]).toEqual([false, true])
      expect(read(font, 'ab')).toBe('ab')
    },
  )

  test.each([
    ['half as wide as usual', 270, true],
    ['narrower', 240, false],
    ['without a width', 0, false],
    ['twice as wide as usual', 1080, true],
    ['wider', 1360, false],
  ])('that readers have themselves are about as wide as usual: %s', (_, width, isApart) => {
    expect(areApart(`${SIMPLE}/FirstChar 97/Widths[${width} 500]`, 'ab')).toBe(isApart)
  })

  test.each([
    ['a third as wide as usual', 180, true],
    ['narrower', 150, false],
    ['without a width', 0, false],
    ['ten times as wide as usual', 5400, true],
  ])('that come with the file are not much narrower than usual: %s', (_, width, isApart) => {
    const simple = `${SIMPLE}/FirstChar 97/Widths[${width} 500]/FontDescriptor<</FontFile2 30 0 R>>`
    expect(areApart(simple, 'ab', EMBEDDED)).toBe(isApart)
    const composite = `/Subtype/Type0/Encoding/Identity-H/ToUnicode 31 0 R/DescendantFonts[<</W[97[${width} 500]]/FontDescriptor<</FontFile2 30 0 R>>>>]`
    const table = streamBody('1 beginbfrange <0061> <007a> <0061> endbfrange')
    expect(areApart(composite, '\0a\0b', { ...EMBEDDED, 31: table })).toBe(isApart)
  })

  test('have the width of what is drawn, whatever their code', () => {
    const font = (drawn: string, width: number) =>
      `${SIMPLE.replace('/Encoding/WinAnsiEncoding', '')}/Encoding<</Differences[33${drawn} 65/period]>>/FirstChar 33/Widths[${width}]`
    expect(areApart(font('/zero', 0), '!A')).toBe(false)
    expect(areApart(font('/zero', 556), '!A')).toBe(true)
    expect(areApart(font('/period', 0), '!A')).toBe(true)
    expect(areApart(font('/period', -1), '!A')).toBe(false)
    expect(areApart(font('/space', -1), '!A')).toBe(false)
    expect(measure(font('/zero', 556), 'A')?.likely).toBe(0.28)
  })

  const measure = (entries: string, letters: string) =>
    fontsOf(`/F1<<${entries}>>`)('F1')?.measure(bytesOf(letters))

  test('are as wide as the font says, else about as wide as usual', () => {
    const likely = (letter: string) => measure(SIMPLE, letter)?.likely
    expect(['i', ' ', 'a', 'A', 'W', '%', '\xd1'].map(likely)).toEqual([
      ...[0.28, 0.28, 0.54, 0.68, 0.87, 0.87, 0.68],
    ])
    const monospaced = ['Courier-Bold', 'DejaVuSansMono'].map(
      (base) => measure(SIMPLE.replace('Own', base), 'iW')?.likely,
    )
    expect(monospaced).toEqual([1.2, 1.2])
    const known = measure(`${SIMPLE}/FirstChar 97/Widths[500 700]`, 'ab')
    expect(known).toEqual({ letters: 2, least: 1.2, likely: 1.2, most: 1.2, slack: 0 })
    const unknown = measure(`${SIMPLE}/FirstChar 97/Widths[500]`, 'aii')
    expect(unknown).toEqual({ letters: 3, least: 0.86, likely: 1.06, most: 2.5, slack: 0.28 })
    expect(measure('/Subtype/Type0', '\0a\0b')).toMatchObject({ letters: 2, likely: 1, slack: 1 })
  })
})
