import { describe, expect, test } from 'vitest'
import { entriesOf, name } from '#server/domain/pdf/object.ts'
import { letterDensities } from '#server/domain/verification/looks/letter-densities.ts'
import { lookFonts } from '#server/domain/verification/looks/look-font.ts'
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
function densityOf(font: string, codes: string, glyphs: readonly string[] = GLYPHS) {
  const document = documentOf({
    20: '<</Font<</F1 21 0 R>>>>',
    21: `<<${font}>>`,
    22: streamBody(trueTypeWith(glyphs)),
    23: streamBody('\0\0'),
  })
  const found = lookFonts(document)(entriesOf(document.object(20)?.value), name('F1'))
  return letterDensities(document)(found!)(bytesOf(codes))?.[0]
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
})
