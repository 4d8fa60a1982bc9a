import { cffWith, square } from '#tests/support/pdf/cff-font.ts'
import { fontFileOf, tablesIn, words } from '#tests/support/pdf/font-file.ts'
import { fontWith } from '#tests/support/pdf/giant-font.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'
import { bar, trueTypeWith } from '#tests/support/pdf/true-type-font.ts'
import { type Attack, type Family, INVALID, valid } from './attack.ts'
import { type Deed, edited } from './deed.ts'
import { DOUBTFUL, over, PRICE, SHOWN } from './hidden-content.ts'
import { afterSignature } from './settings.ts'

/* Letters of a font that was signed, whose outlines are not those of letters. */

/** The embedded font of the deed with these letters, of which each code is the number of its glyph. */
const signedFont = (program: string): Bodies => ({
  33: streamBody(program, `/Length1 ${program.length}`),
  39: '<</Type/Font/Subtype/Type0/BaseFont/Deed/Encoding/Identity-H/ToUnicode 32 0 R/DescendantFonts[51 0 R]>>',
  51: '<</Type/Font/Subtype/CIDFontType2/BaseFont/Deed/CIDToGIDMap/Identity/FontDescriptor 30 0 R/DW 600/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
})
const DASH = '—'
const usual = fontWith(DASH, 2000)
/** Sixty times as large as its letters are wide. */
const giant = fontWith(DASH, 16)

const SCAN = 'q 300 0 0 300 0 0 cm /Im Do Q'
const written = (code: string, x: number, y: number, size = 9) =>
  `BT 0 g /F2 ${size} Tf ${x} ${y} Td <${code}> Tj ET`
const letter = (
  name: string,
  page: string,
  look: string,
  answer: Attack['answer'],
  font = usual,
  more: Bodies = {},
) =>
  over(`${page === SCAN ? 'a scan' : 'a text'}, with ${name}`, page, answer, {
    look,
    more: { ...signedFont(font.program), 18: printedScan(), ...more },
  })
/** Readers take the first one: a letter is as large as the square of the em says. */
const twoHeads = fontFileOf([
  ...tablesIn(giant.program),
  ...tablesIn(usual.program).filter(([tag]) => tag === 'head'),
])

/** Its left edge is drawn where its side bearing says. */
const moved = fontFileOf(
  tablesIn(usual.program).map(([tag, text]) => [
    tag,
    tag === 'hmtx' ? text.replaceAll(/(..)../gs, `$1${words(20_000)}`) : text,
  ]),
)

/** The font of the deed with letters of the Compact Font Format: the code 1 is a square of so many thousandths. */
const compact = (side: number): Bodies => ({
  30: '<</Type/FontDescriptor/FontName/Deed/Flags 4/FontFile3 33 0 R>>',
  33: streamBody(cffWith([square(0), square(side)]), '/Subtype/CIDFontType0C'),
  39: '<</Type/Font/Subtype/Type0/BaseFont/Deed/Encoding/Identity-H/ToUnicode 32 0 R/DescendantFonts[51 0 R]>>',
  51: '<</Type/Font/Subtype/CIDFontType0/BaseFont/Deed/FontDescriptor 30 0 R/DW 600/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>',
})
const SQUARE = written('0001', 5, 5, 3)

/** The same with codes of names: a is empty, b is a block. `charset` names the two glyphs. */
const named = (charset = words(66, 67), strings: readonly string[] = [], more = ''): Bodies => {
  const names = `\0${charset}`
  return {
    30: '<</Type/FontDescriptor/FontName/Deed/Flags 32/FontFile3 33 0 R>>',
    33: streamBody(
      cffWith([square(0), square(0), square(700)], { charset: names, strings }),
      '/Subtype/Type1C',
    ),
    39: `<</Type/Font/Subtype/Type1/BaseFont/Deed/Encoding/WinAnsiEncoding/FirstChar 97/LastChar 98/Widths[600 600]/FontDescriptor 30 0 R${more}>>`,
  }
}
const letters = (code: string) => written(code.repeat(20), 5, 10, 12)

/** The same with letters of TrueType: the code 1 is a bar of so many thousandths, 2 is a block. */
const plain = (width: number, height: number, step = 600, bottom = 0): Bodies => ({
  ...signedFont(trueTypeWith([bar(0, 0), bar(width, height, bottom), bar(700, 700)])),
  51: `<</Type/Font/Subtype/CIDFontType2/BaseFont/Deed/FontDescriptor 30 0 R/DW ${step}/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>>>`,
})
const row = (y: number, size = 12) => written('0001'.repeat(20), 5, y, size)

/** From 148 to 157 and from 157 to 164 of the page, where the price stands. */
const [HALF, OTHER_HALF] = [
  written('0001'.repeat(30), 0, 7.6, 13.2),
  '0 G 3.4 w 0 18.9 m 300 18.9 l S 0 22.3 m 300 22.3 l S',
]

const covering: Attack[] = [
  letter('a giant letter', PRICE, written(giant.code, -65, -320), DOUBTFUL, giant),
  letter('a giant letter', SCAN, written(giant.code, -65, -320), DOUBTFUL, giant),
  ...[PRICE, SCAN].map((page) =>
    letter('letters that are not read', page, written(giant.code, -65, -320), DOUBTFUL, {
      ...giant,
      program: giant.program.replace('glyf', 'none'),
    }),
  ),
  ...[PRICE, SCAN].map((page) =>
    letter('displaced letters', page, written(usual.code, -85, 5), DOUBTFUL, {
      ...usual,
      program: moved,
    }),
  ),
  letter('a font with two tables of a name', PRICE, written(giant.code, -65, -320), DOUBTFUL, {
    ...giant,
    program: twoHeads,
  }),
  letter('a font with two files', PRICE, written(giant.code, -65, -320), DOUBTFUL, usual, {
    30: '<</Type/FontDescriptor/FontName/Deed/Flags 32/FontFile 52 0 R/FontFile2 33 0 R>>',
    52: streamBody(giant.program, `/Length1 ${giant.program.length}`),
  }),
  ...[PRICE, SCAN].flatMap((page) => [
    letter('a giant letter of curves', page, SQUARE, DOUBTFUL, usual, compact(30_000)),
    letter('a letter of curves', page, SQUARE, SHOWN, usual, compact(600)),
  ]),
  ...[
    ['blocks of curves', row(10), compact(700)] as const,
    ['blocks', row(10), plain(700, 700)] as const,
    ['small blocks', [5, 8, 11, 14].map((y) => row(y, 4)).join(' '), plain(700, 800)] as const,
    ['a large block', written('0001', 5, 5, 30), plain(400, 800)] as const,
    ['bars', row(10), plain(300, 700, 300)] as const,
    ['blocks beside other letters', row(10).replace('0001', '0002'), plain(150, 700)] as const,
    [
      'letters of which others are blocks',
      row(10).replaceAll('0001', '0000'),
      compact(700),
    ] as const,
    ['low bars', [5, 8, 11, 14].map((y) => row(y, 9)).join(' '), plain(700, 340, 700)] as const,
    ['blocks above the line', row(-10), plain(700, 700, 600, 900)] as const,
    ['blocks by name', letters('62'), named()] as const,
    ['blocks by a name without a glyph', letters('63'), named()] as const,
    ['blocks of one of two glyphs of a name', letters('61'), named(words(66, 391), ['a'])] as const,
    [
      'blocks of names that the document changes',
      letters('61'),
      { ...named(), 39: String(named()[39]).replace('/WinAnsiEncoding', '<</Differences[97/b]>>') },
    ] as const,
  ].map(([name, look, font]) => letter(name, SCAN, look, DOUBTFUL, usual, font)),
  ...[
    ['bars apart from each other', row(10), plain(150, 700)] as const,
    ['dots', row(10), plain(150, 150)] as const,
    ['a block', written('0001', 5, 5, 8), plain(500, 500)] as const,
    ['letters by name, of which another is a block', letters('61'), named()] as const,
  ].map(([name, look, font]) => letter(name, SCAN, look, SHOWN, usual, font)),
  // The lines hide no more than half of the price; the blocks are letters over letters.
  ...[
    ['blocks over half of it', HALF, DOUBTFUL] as const,
    ['lines over half of it', OTHER_HALF, SHOWN] as const,
    ['blocks and lines, each over half of it', `${HALF} ${OTHER_HALF}`, DOUBTFUL] as const,
  ].map(([name, look, answer]) => letter(name, PRICE, look, answer, usual, plain(700, 700, 700))),
  letter(
    'many dashes',
    PRICE,
    Array.from({ length: 50 }, (_, at) => written(usual.code.repeat(20), 0, at)).join(' '),
    INVALID,
  ),
  letter('dashes', PRICE, written(usual.code.repeat(3), 5, 35), SHOWN),
  letter('dashes', SCAN, written(usual.code.repeat(3), 5, 35), SHOWN),
]

/** The price becomes 2, in letters of the form. */
const filled =
  (code: string) =>
  (deed: Deed): Bodies => ({
    ...edited(deed, 5, '(1000)', '(2)'),
    7: streamBody(
      `BT /F2 8 Tf 2 2 Td <${code}> Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 90 9]/Resources<</Font<</F2 39 0 R>>>>',
    ),
  })
const called2 = (code: string) =>
  streamBody(
    `/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <${code}> <0032> endbfchar`,
  )
const values: Attack[] = [
  ['usual', usual.code, signedFont(usual.program), valid('FORM_FILLING')] as const,
  ['giant', giant.code, signedFont(giant.program), INVALID] as const,
  ['displaced', usual.code, signedFont(moved), INVALID] as const,
  ['compact', '0001', compact(300), valid('FORM_FILLING')] as const,
  ['giant compact', '0001', compact(30_000), INVALID] as const,
].map(([name, code, font, answer]) =>
  afterSignature(`a value in ${name} letters that were signed`, filled(code), answer, {
    changes: () => ({ ...font, 32: called2(code) }),
  }),
)

export const LETTERS: readonly Family[] = [
  { name: 'letters of signed fonts over what was signed', attacks: covering },
  { name: 'values in letters of signed fonts', attacks: values },
]
