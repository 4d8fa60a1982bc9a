import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { type Attack, type Family, valid } from './attack.ts'
import { FREE, revised } from './deed.ts'
import { DOUBTFUL, over, SHOWN } from './hidden-content.ts'
import { afterSignature, deedOf, SETTINGS } from './settings.ts'
import { signDeed } from './sign-deed.ts'

/* Looks of later signatures whose ink makes other letters of the signed ones. */

/** A 3 from 30 to 43 of the page: from 10 to 23 of the look that is over it. */
const THREE = 'BT /F1 24 Tf 30 150 Td (3000) Tj ET'
const [LEFT_OF_EIGHT, SMALL_NAME] = [
  '0 G 2 w 17 26.5 m 10 26.5 10 19 17 19 c 9 19 9 10.5 17 10.5 c S',
  'BT 0 g /F1 6 Tf 100 40 Td (Ana) Tj ET',
]
/** A 3 of curves. */
const DRAWN = '0 G 1 w 32 162 m 42 162 42 156 36 156 c 43 156 43 150 32 150 c S'
const written = (text: string, x = 30, size = 24) => `BT /F1 ${size} Tf ${x} 150 Td (${text}) Tj ET`
/** Higher and wider than two letters. */
const SIGN = '0 G 1 w 2 5 m 30 60 60 -20 90 40 c 110 60 120 0 150 25 c S'

const PNG = '/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8'
/** A black picture that is seen where the rows have a sign. */
const drawnPicture = (rows: readonly string[]): Bodies => {
  const size = `${PNG}/Width ${rows[0]!.length}/Height ${rows.length}`
  const mask = rows.join('').replaceAll('.', '\0').replaceAll('#', '\xff')
  return {
    [FREE + 1]: streamBody(mask.replaceAll('\xff', '\0'), `${size}/SMask ${FREE + 2} 0 R`),
    [FREE + 2]: streamBody(mask, size),
  }
}
const blank = (width: number) => '.'.repeat(width)
/** As large as the look, a point for each sample: the left of an 8 over the 3. */
const PICTURED_EIGHT = Array.from({ length: 50 }, (_, row) => {
  const y = 50 - row
  if (y < 10 || y > 27) return blank(180)
  return `${blank(10)}###${blank(167)}`
})
/** A diagonal from side to side. */
const PICTURED_SIGN = Array.from({ length: 50 }, (_, row) => {
  const from = Math.round(row * 3.4)
  return `${blank(from)}#####${blank(175 - from)}`
})

const ink = (name: string, look: string, answer: Attack['answer'], page = THREE) =>
  over(name, page, answer, { look: `${look} ${SMALL_NAME}` })
const picture = (name: string, rows: readonly string[], answer: Attack['answer'], page = THREE) =>
  over(name, page, answer, {
    look: 'q 180 0 0 50 0 0 cm /Png Do Q',
    lookResources: `/XObject<</Png ${FREE + 1} 0 R>>`,
    lookMore: drawnPicture(rows),
  })

const strokes: Attack[] = [
  ink('a digit, with the strokes of another one', LEFT_OF_EIGHT, DOUBTFUL),
  ink('a digit, with thin areas', '0 g 10 11 1.9 7 re 10 19 1.9 7 re f', DOUBTFUL),
  ink(
    'a digit, with a stroke of thin lines',
    '0 G .4 w 10 13 m 17 13 l 10 13.4 m 17 13.4 l 10 13.8 m 17 13.8 l S',
    DOUBTFUL,
  ),
  ink('a digit, with a point behind it', '0 g 23.2 10 1.5 1.5 re f', DOUBTFUL),
  ink(
    'a digit, with its strokes and a line far from it',
    `${LEFT_OF_EIGHT.replace(/ S$/, '')} 100 5 m 150 45 l S`,
    DOUBTFUL,
  ),
  ink('a digit, with what a clip leaves of a sign', `q 9 9 9 20 re W n ${SIGN} Q`, DOUBTFUL),
  ink('a digit, with dashes of a long line', '0 G 2 w [8 400] 0 d 11 10 m 11 49 l S', DOUBTFUL),
  ink(
    'a digit, with what a white area leaves of a line',
    '0 G 2 w 11 10 m 11 49 l 170 49 l S 1 g 5 28 175 22 re f',
    DOUBTFUL,
  ),
  over(
    'a digit, with the end of a thin area that is hidden in its middle',
    THREE.replace('30 150', '90 150'),
    DOUBTFUL,
    { look: `0 g 30 11 46 1.9 re f 1 g 50 5 6 14 re f ${SMALL_NAME}` },
  ),
  over(
    'a number in large digits, with a thick bar behind it',
    'BT /F1 36 Tf 30 150 Td (1) Tj ET',
    DOUBTFUL,
    { look: `0 g 35 10 4 25 re f ${SMALL_NAME}` },
  ),
  over(
    'a number in large digits, with a white area behind it',
    'BT /F1 36 Tf 30 150 Td (1) Tj ET',
    SHOWN,
    { look: `1 g 35 10 30 25 re f ${SMALL_NAME}` },
  ),
  ink('digits, with a drawn sign', SIGN, DOUBTFUL),
  ink('words, with a drawn sign', SIGN, SHOWN, THREE.replace('3000', 'Firma')),
  ink(
    'words, with strokes as large as letters',
    LEFT_OF_EIGHT,
    DOUBTFUL,
    THREE.replace('3000', 'Firma'),
  ),
  ink('digits, with a line below them', '0 G 1 w 5 8 m 90 8 l S', SHOWN),
  ink('digits that are drawn, with strokes', LEFT_OF_EIGHT, DOUBTFUL, DRAWN),
  ...(
    [
      ['a number, with a minus before it', '-', 2, '1000'],
      ['a number, with a point in it', '.', 23.4, '1 000'],
      ['a digit, with a bar', '|', 7, '3000'],
      ['a digit, with a bracket', '\\(', 8, '3000'],
    ] as const
  ).map(([title, sign, x, number]) =>
    ink(
      title,
      `BT 0 g /F1 24 Tf ${x} 10 Td (${sign}) Tj ET`,
      DOUBTFUL,
      THREE.replace('3000', number),
    ),
  ),
  ink(
    'a digit that is drawn, with a letter',
    'BT 0 g /F1 24 Tf 10 10 Td (8) Tj ET',
    DOUBTFUL,
    DRAWN,
  ),
  ink('a drawing, with much smaller letters', 'BT 0 g /F1 5 Tf 10 16 Td (Ana) Tj ET', SHOWN, DRAWN),
  picture('a digit, with a picture of the strokes of another one', PICTURED_EIGHT, DOUBTFUL),
  over('a number, with a picture of digits behind it', written('1', 30, 36), DOUBTFUL, {
    look: `q 25 0 0 25 34 10 cm /Png Do Q ${SMALL_NAME}`,
    lookResources: `/XObject<</Png ${FREE + 1} 0 R>>`,
    lookMore: { [FREE + 1]: streamBody('\0', `${PNG}/Width 1/Height 1`) },
  }),
  picture('digits, with a picture of a drawn sign', PICTURED_SIGN, DOUBTFUL),
  picture(
    'words, with a picture of a drawn sign',
    PICTURED_SIGN,
    SHOWN,
    THREE.replace('3000', 'Firma'),
  ),
]

/** Two later signatures in one place. */
const twice = (
  name: string,
  looks: readonly [string, string],
  answer: Attack['answer'],
  rectangle = '[20 220 200 270]',
): Attack => ({
  name: `two later signatures, ${name}`,
  make: async () => {
    let deed = await deedOf(SETTINGS[0]!)
    for (const [at, look] of looks.entries()) {
      const withLook = revised(deed, { [FREE + at]: streamBody(look, FORM) })
      const place = at === 0 ? '[20 220 200 270]' : rectangle
      const field = `/AP<</N ${FREE + at} 0 R>>`
      deed = await signDeed(withLook, { number: 70 + 2 * at, rectangle: place, field })
    }
    return deed.file
  },
  answer,
})
const FORM =
  '/Type/XObject/Subtype/Form/BBox[0 0 180 50]/Resources<</Font<</F1 3 0 R>>/ExtGState<</D<</BM/Difference>>>>>>'
const name = (text: string, y = 30) => `BT 0 g /F1 9 Tf 5 ${y} Td (Firmado por ${text}) Tj ET`
const WHITE = '1 g 0 0 180 50 re f'

const IN_DOUBT: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  says: 'signature-may-cover-content',
}
const earlier: Attack[] = [
  twice(
    'of which the second one shows another name',
    [name('Ana'), `${WHITE} ${name('Luis')}`],
    IN_DOUBT,
  ),
  twice('of which the second one writes over the first one', [name('Ana'), name('Luis')], IN_DOUBT),
  twice(
    'of which the second one draws strokes over the first one',
    [name('3'), '0 G 1 w 58 30 m 56 36 l S'],
    IN_DOUBT,
  ),
  twice(
    'that look the same and are subtracted',
    [`/D gs 1 g ${name('Ana').replace('0 g', '')}`, `/D gs 1 g ${name('Ana').replace('0 g', '')}`],
    IN_DOUBT,
  ),
  twice('that look the same', [`${WHITE} ${name('Ana')}`, `${WHITE} ${name('Ana')}`], SHOWN),
  twice('one below the other in one place', [name('Ana', 38), name('Luis', 28)], SHOWN),
  twice(
    'that share an edge without ink',
    [`${WHITE} ${name('Ana')}`, `${WHITE} ${name('Luis')}`],
    SHOWN,
    '[130 225 290 275]',
  ),
]

const LONGER: Attack['answer'] = {
  verdict: ['INDETERMINATE'],
  says: 'field-writes-over-content',
}
/** The embedded font of the deed, which does not say what its letters are. */
const SAYS_NOTHING: Bodies = {
  39: '<</Type/Font/Subtype/TrueType/BaseFont/Deed/FontDescriptor 30 0 R/FirstChar 49/LastChar 50/Widths[556 556]>>',
}
/** A field whose value is beside a number of the page, which ends at 43.34 for a 1 that begins at 30. */
const beside = (
  name: string,
  page: string,
  answer: Attack['answer'],
  { value = '00', from = 43.4, size = 24, more = {} as Bodies } = {},
): Attack => {
  const field = (written: string) =>
    `<</FT/Tx/T(Precio)/V(${written})/Type/Annot/Subtype/Widget/Rect[${from} 140 ${from + 60} 170]/F 4/P 10 0 R/AP<</N 7 0 R>>>>`
  const shown = (text: string) =>
    streamBody(
      `BT /F1 ${size} Tf 0 10 Td (${text}) Tj ET`,
      '/Type/XObject/Subtype/Form/BBox[0 0 60 30]/Resources<</Font<</F1 3 0 R>>>>',
    )
  return afterSignature(
    `a field filled ${name}`,
    () => ({ 5: field(value), 7: shown(value) }),
    answer,
    { changes: () => ({ 5: field(''), 7: shown(''), 11: streamBody(page), ...more }) },
  )
}
const longer: Attack[] = [
  beside('right behind a digit', written('1'), LONGER),
  beside('right behind a word and a digit', written('P 1', 0), LONGER, { from: 36.1 }),
  beside('with a comma right behind a digit', written('1'), LONGER, { value: ',50' }),
  beside('right before a digit', written('000', 59), LONGER, { from: 32, value: '00' }),
  beside('right behind a point', written('1.'), LONGER, { from: 50 }),
  beside(
    'right behind a digit that the font does not name',
    'BT /F2 24 Tf 30 150 Td (1) Tj ET',
    LONGER,
    {
      more: SAYS_NOTHING,
    },
  ),
  beside('behind a digit and a blank without a width', `-6.67 Tw ${written('1 ')}`, LONGER),
  beside('before a blank without a width and a digit', `-6.67 Tw ${written(' 000', 59)}`, LONGER, {
    from: 45.6,
    value: '1',
  }),
  beside('behind a digit that is followed by less than nothing', `-6 Tc ${written('1')}`, LONGER),
  beside('behind a digit and a usual blank', written('1 '), valid('FORM_FILLING'), { from: 50.1 }),
  beside('a blank behind a digit', written('1'), valid('FORM_FILLING'), { from: 50 }),
  beside('as far behind a year as forms leave', written('20', 30, 10), valid('FORM_FILLING'), {
    from: 43.2,
    value: '26',
    size: 10,
  }),
  over('a number, with digits right behind it', written('1'), DOUBTFUL, {
    rectangle: '[43.4 140 143.4 170]',
    look: 'BT 0 g /F1 24 Tf 0 10 Td (00) Tj ET',
  }),
  over('a number, with digits a little behind it', written('1'), DOUBTFUL, {
    rectangle: '[46.7 140 146.7 170]',
    look: 'BT 0 g /F1 24 Tf 0 10 Td (00) Tj ET',
  }),
  over('a number, with a name a blank behind it', written('1'), SHOWN, {
    rectangle: '[50 140 150 170]',
    look: 'BT 0 g /F1 24 Tf 0 10 Td (Ana) Tj ET',
  }),
]

/** Labels of forms. Some readers join such a label and the value to one word. */
const labels: Attack[] = [
  beside('right behind a word', written('A'), valid('FORM_FILLING'), { from: 46.1 }),
  beside('right behind a digit and a colon', written('1:'), valid('FORM_FILLING'), { from: 50.1 }),
]

export const JOINED_LABELS: Family = { name: 'labels right before a value', attacks: labels }

export const ALTERED_LETTERS: readonly Family[] = [
  { name: 'strokes of later signatures over letters', attacks: strokes },
  { name: 'later signatures over earlier ones', attacks: earlier },
  { name: 'numbers that later text makes longer', attacks: longer },
]
