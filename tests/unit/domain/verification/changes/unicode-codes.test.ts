import { expect, test } from 'vitest'
import { array, byteString, dictionary, name } from '#server/domain/pdf/object.ts'
import { encodeText } from '#server/domain/pdf/text-string.ts'
import { fontFileOf, tablesIn, words } from '#tests/support/pdf/font-file.ts'
import { bodiesWithPages, pdfWithTable, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

/* A composite font whose codes are those of Unicode, and that does not say so: its file has to prove it. */

const [ZERO, NINE] = [0x30, 0x39]

/** A font file with nothing but the glyphs of the ten digits: `first` is that of 0. */
function programWith(first: number, platform = [3, 1]): string {
  const table = [
    ...[4, 32, 0, 4, 0, 0, 0, NINE, 0xffff, 0],
    ...[ZERO, 0xffff, (first - ZERO) & 0xffff, 1, 0, 0],
  ]
  const cmap = words(0, 1, ...platform, 0, 12) + words(...table)
  return fontFileOf([['cmap', cmap]], 'OTTO')
}

/** The digits have the glyphs from `first` on. */
const mapWith = (first: number) =>
  Array.from({ length: NINE + 1 }, (_, code) => words(code < ZERO ? 0 : code - ZERO + first)).join(
    '',
  )

type Font = { program: string; map: string; encoding: string; entries: string; files: string }
const FONT: Font = {
  program: programWith(7),
  map: mapWith(7),
  encoding: 'Identity-H',
  entries: '/CIDToGIDMap 17 0 R',
  files: '/FontFile3 18 0 R',
}

/** The level of a field that becomes 1000 and shows these digits. */
function levelOf(font: Partial<Font>, digits = '1000'): string {
  const { program, map, encoding, entries, files } = { ...FONT, ...font }
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const file = pdfWithTable({
    ...plain,
    5: '<</FT/Tx/T(Precio)/Type/Annot/Subtype/Widget/Rect[0 0 90 9]/P 10 0 R>>',
    8: '<</Fields[5 0 R]/DR<</Font<</F2 14 0 R>>>>>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
    14: `<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/${encoding}/DescendantFonts[15 0 R]>>`,
    15: `<</Type/Font/Subtype/CIDFontType2/FontDescriptor 16 0 R/DW 556${entries}>>`,
    16: `<</Type/FontDescriptor${files}>>`,
    17: streamBody(map),
    18: streamBody(program, '/Subtype/OpenType'),
  })
  const codes = [...digits].map((digit) => `00${digit.charCodeAt(0).toString(16)}`).join('')
  const filled = changed(signed(file), (update) => {
    const look = newStream(`BT /F2 8 Tf 2 2 Td <${codes}> Tj ET`, {
      Type: name('XObject'),
      Subtype: name('Form'),
      BBox: array([0, 0, 90, 9]),
    })
    edit(update, 5, {
      V: byteString(encodeText('1000')),
      AP: dictionary({ N: update.add(look) }),
    })
  })
  return changesIn(filled)[0]!.level
}

test('a field shows its value in codes of Unicode for which the font file has the glyphs', () => {
  expect(levelOf({})).toBe('FORM_FILLING')
  expect(levelOf({ program: programWith(7, [0, 3]) })).toBe('FORM_FILLING')
})

test.each<[string, Partial<Font>, string?]>([
  ['other digits', {}, '9000'],
  ['codes that have the glyphs of other digits', { map: mapWith(8) }],
  ['codes without glyphs', { map: '' }],
  ['codes whose glyphs the file calls otherwise', { program: programWith(8) }],
  ['a table of other characters', { program: programWith(7, [1, 0]) }],
  ['a font file that is cut off', { program: programWith(7).slice(0, -8) }],
  [
    'codes of a font file with two tables of characters',
    {
      program: fontFileOf([...tablesIn(programWith(7)), ...tablesIn(programWith(8))], 'OTTO'),
    },
  ],
  ['codes of a font with two files', { files: '/FontFile 17 0 R/FontFile3 18 0 R' }],
  ['very many digits', {}, '1000'.repeat(100_000)],
  ['an empty font file', { program: '' }],
  ['codes that are glyphs', { entries: '/CIDToGIDMap/Identity' }],
  ['codes without a map', { entries: '' }],
  ['letters that are written downwards', { encoding: 'Identity-V' }],
])('a field does not show its value in %s', (_, font, digits) => {
  expect(levelOf(font, digits)).toBe('OTHER')
})
