import { deflateSync } from 'node:zlib'
import { describe, expect, test, vi } from 'vitest'
import { entriesOf, name } from '#server/domain/pdf/object.ts'
import { MAX_FONT } from '#server/domain/verification/looks/font-files.ts'
import { letterDensities } from '#server/domain/verification/looks/letter-densities.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
import { cffWith, square } from '#tests/support/pdf/cff-font.ts'
import { words } from '#tests/support/pdf/font-file.ts'
import { bytesOf, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { bar, trueTypeWith } from '#tests/support/pdf/true-type-font.ts'
import { documentOf } from './drawn.ts'

/** A glyph that leads out of the file: contours without points. */
const BROKEN = '\0\x01\0\0'
const GLYPHS = [bar(50, 1000), bar(900, 1000)]

const simple = (subtype: string) => `/Subtype/${subtype}/FontDescriptor<</FontFile2 22 0 R>>`
const composite = ({
  subtype = 'CIDFontType2',
  encoding = 'Identity-H',
  entries = '',
  type = 'Type0',
} = {}) =>
  `/Subtype/${type}/Encoding/${encoding}/DescendantFonts[<</Subtype/${subtype}${entries}/FontDescriptor<</FontFile2 22 0 R>>>>]`

/** How black the densest of these letters is, in the smallest window. */
const densityOf = (font: string, codes: string, glyphs: readonly string[] = GLYPHS) =>
  lettersOf(font, streamBody(trueTypeWith(glyphs))).densityOf(codes)

function lettersOf(font: string, file: string) {
  const document = documentOf({
    20: '<</Font<</F1 21 0 R>>>>',
    21: `<<${font}>>`,
    22: file,
    23: streamBody('\0\0'),
  })
  const found = lookFonts(document)(entriesOf(document.object(20)?.value), name('F1'))
  return {
    document,
    densityOf: (codes: string) => letterDensities(document)(found!)(bytesOf(codes))?.[0],
  }
}
const [THIN, THICK] = ['\0\0', '\0\x01']

describe('density of letters', () => {
  test('is that of the densest of them, where codes are numbers of glyphs', () => {
    expect(densityOf(composite(), THIN)).toBeLessThan(0.5)
    expect(densityOf(composite(), THICK)).toBeCloseTo(1, 6)
    expect(densityOf(composite(), THIN + THICK + THIN)).toBeCloseTo(1, 6)
    expect(densityOf(composite({ entries: '/CIDToGIDMap/Identity' }), THIN)).toBeLessThan(0.5)
  })

  test.each([
    ['half of a code', composite(), `${THIN}\0`],
    ['a map', composite({ entries: '/CIDToGIDMap 23 0 R' }), THIN],
    ['another encoding', composite({ encoding: 'Own' }), THIN],
    ['another kind of font', composite({ subtype: 'CIDFontType0' }), THIN],
    ['a font that is not composite', composite({ type: 'TrueType' }), THIN],
    ['codes of a byte', simple('TrueType'), THIN],
  ])('is that of the whole font with %s', (_, font, codes) => {
    expect(densityOf(font, codes)).toBeCloseTo(1, 6)
  })

  test('is not known of a letter that is not read', () => {
    expect(densityOf(composite(), THIN, [...GLYPHS, BROKEN])).toBeLessThan(0.5)
    expect(densityOf(composite(), `${THIN}\0\x02`, [...GLYPHS, BROKEN])).toBeUndefined()
    expect(densityOf(composite(), `${THIN}\0\x09`)).toBeUndefined()
    expect(densityOf(simple('TrueType'), THIN, [...GLYPHS, BROKEN])).toBeUndefined()
  })

  test('is not known of letters that do not come with the file, or come twice', () => {
    const twice = '/Subtype/TrueType/FontDescriptor<</FontFile2 22 0 R/FontFile3 22 0 R>>'
    expect(densityOf(twice, THIN)).toBeUndefined()
    expect(densityOf('/Subtype/Type1/Encoding/WinAnsiEncoding', 'A')).toBeUndefined()
  })

  test('is that of the whole font with a letter of which the font has no name', () => {
    const font = '/Subtype/Type1/Encoding/WinAnsiEncoding/FontDescriptor<</FontFile3 22 0 R>>'
    const [nothing, small, large] = [0, 60, 900].map(square)
    // A and B.
    const file = cffWith([nothing!, small!, large!], { charset: `\0${words(34, 35)}` })
    const letters = lettersOf(font, streamBody(file))
    const [thin, thick] = ['A', 'B'].map((letter) => letters.densityOf(letter)!)
    expect(thin).toBeLessThan(thick! / 2)
    expect(letters.densityOf('C')).toBe(thick)
    expect(letters.densityOf('AC')).toBe(thick)
  })

  test('is not known of a font file that is damaged; one that is too large is not taken for it', () => {
    const packed = (data: string) => streamBody(data, '/Filter/FlateDecode')
    expect(lettersOf(composite(), packed('nada')).densityOf(THIN)).toBeUndefined()
    const large = deflateSync(Buffer.alloc(MAX_FONT + 1)).toString('latin1')
    expect(() => lettersOf(composite(), packed(large)).densityOf(THIN)).toThrow(
      expect.objectContaining({ code: 'too-complex' }),
    )
  })

  test('costs as much as there are letters, each time', () => {
    const { document, densityOf: density } = lettersOf(
      composite(),
      streamBody(trueTypeWith(GLYPHS)),
    )
    density(THIN)
    const spend = vi.spyOn(document.meter, 'spend')
    density(THIN.repeat(5_000))
    expect(spend.mock.calls.reduce((sum, [bytes]) => sum + bytes, 0)).toBeGreaterThanOrEqual(10_000)
  })
})
