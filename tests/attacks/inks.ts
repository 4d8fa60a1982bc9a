import { sealedLater, waitingSignature } from '#tests/support/office/waiting-signatures.ts'
import { type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { printedScan } from '#tests/support/pdf/printed-scan.ts'
import { type Attack, type Family, INVALID, valid } from './attack.ts'
import { edited, FREE, revised } from './deed.ts'
import { DOUBTFUL, over, PRICE, SHOWN } from './hidden-content.ts'
import { ROWS } from './odd-scans.ts'
import {
  BLANK_FAX,
  digit,
  FAX,
  FAX_OF_DIGIT,
  gray,
  line,
  SCANNED,
  SIDE,
} from './scanned-letters.ts'
import { deedOf, SETTINGS } from './settings.ts'
import { signDeed, someSeal } from './sign-deed.ts'

/* Looks of later signatures whose ink hides more, or less, than a careless reading of it says. */

const AREA = '0 0 180 50 re f'
const IMAGE = '/Type/XObject/Subtype/Image/ColorSpace/DeviceGray/BitsPerComponent 8/Height 1/Width'
const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 180 50]'
const MULTIPLIED = '/ExtGState<</M<</BM/Multiply>>>>'
const STATES =
  '/ExtGState<</M<</BM/Multiply>>/N<</BM/Normal>>/G<</ca 0.1>>/O<</ca 1>>/S<</CA 0.1>>>>'
const FORMS = `/XObject<</Fm ${FREE + 1} 0 R/Im ${FREE + 2} 0 R/Scan 18 0 R>>`
/** A form that mixes its ink with itself, not with the page; a picture of which some part is shown. */
const inks = (shown: string): Bodies => ({
  [FREE + 1]: streamBody(
    `/M gs 1 g ${AREA}`,
    `${FORM}/Group<</S/Transparency/I true>>/Resources<<${MULTIPLIED}>>`,
  ),
  [FREE + 2]: streamBody('x', `${IMAGE} 1/SMask ${FREE + 3} 0 R`),
  [FREE + 3]: streamBody(shown, `${IMAGE} ${shown.length}`),
})
const ink = (
  name: string,
  look: string,
  answer: Attack['answer'],
  { shown = '\xff', entries = '', page = PRICE, rectangle = '[20 140 200 190]' } = {},
) =>
  over(`a text, with ${name}`, page, answer, {
    look,
    rectangle,
    lookEntries: entries,
    lookResources: STATES + FORMS,
    lookMore: inks(shown),
  })

const PICTURE = 'q 180 0 0 50 0 0 cm /Im Do Q'
const rows = (draw: (y: number) => string, step: number) =>
  Array.from({ length: Math.ceil(50 / step) }, (_, at) => draw(at * step)).join(' ')
/** Two lines that meet at 5: the corner reaches far to the right. */
const CORNERS = rows((y) => `0 ${y} m 5 ${y + 0.02} l 0 ${y + 0.04} l S`, 2)

/** Readers take 100 for the width. */
const BROKEN_WIDTH: Bodies = {
  [FREE + 2]: streamBody('x', `${IMAGE} 1/SMask ${FREE + 3} 0 R`),
  [FREE + 3]: streamBody(
    `${'\0'.repeat(3000)}${'\xff'.repeat(4020)}${'\0'.repeat(3030)}`,
    `${IMAGE.replace('/Height 1/', '/Height 100/')} 100.5`,
  ),
}

const transparent: Attack[] = [
  over('a text, with a picture whose mask is half a sample too wide', PRICE, INVALID, {
    look: PICTURE,
    lookResources: FORMS,
    lookMore: BROKEN_WIDTH,
  }),
  ink('an area, after only lines were made transparent', `/S gs 1 g ${AREA}`, INVALID),
  ink('an area that is no longer transparent', `/G gs /O gs 1 g ${AREA}`, INVALID),
  ink('an area that is no longer multiplied', `/M gs /N gs 1 g ${AREA}`, INVALID),
  ink('a black area, multiplied', `/M gs 0 g ${AREA}`, INVALID),
  ink('an area of any colour, multiplied', `/M gs /Cs cs 1 scn ${AREA}`, INVALID),
  ink(
    'an area in a colour space with a name of JavaScript',
    `/constructor cs 1 scn ${AREA}`,
    INVALID,
  ),
  ink('an area after an operator with a name of JavaScript', `__proto__ 1 g ${AREA}`, INVALID),
  ink('a picture, multiplied', '/M gs q 180 0 0 50 0 0 cm /Scan Do Q', INVALID),
  ink('a form that is multiplied with itself', '/Fm Do', INVALID),
  ink('a look that is multiplied with itself', `/M gs 1 g ${AREA}`, INVALID, {
    entries: '/Group<</S/Transparency/I true>>',
  }),
  ink('a pale area, multiplied', `/M gs 0.9 g ${AREA}`, SHOWN),
  ink('a form of pale ink that is multiplied', '/M gs /Fm Do', SHOWN),
  ink('the shown half of a picture', PICTURE, INVALID, { shown: '\xff\xff\xff\xff\0\0\0\0\0\0' }),
  ink('the shown half of a turned picture', 'q 0 50 -180 0 180 0 cm /Im Do Q', INVALID, {
    shown: '\xff\xff\xff\xff\0\0\0\0\0\0',
  }),
  ink('a picture that is hardly shown', PICTURE, SHOWN, { shown: '\x20\x10\x20\0' }),
]

const thin: Attack[] = [
  ink('dark strips', `0 g ${rows((y) => `0 ${y} 180 1.9 re f`, 1.9)}`, INVALID),
  ink('a dark strip', '0 g 0 20 180 1.9 re f', SHOWN),
  ink('letters with thick outlines', 'BT 2 Tr 4 w /F1 9 Tf 5 12 Td (MMMMMMMMMMMM) Tj ET', INVALID),
  ink('a round dot', '1 J 50 w 90 25 m h S', INVALID),
  ink('corners of thin lines', `1000 M 4 w ${CORNERS}`, INVALID),
  ink('rounded corners of thin lines', `1000 M 1 j 4 w ${CORNERS}`, SHOWN),
  ink('an area that is turned over', '1 g 0 20 180 22 re f', INVALID, {
    rectangle: '[20 100 200 190]',
    entries: '/Matrix[-1 0 0 -1 0 0]',
  }),
]

/** Two later signatures whose looks stand on each other. */
const twice = (
  name: string,
  looks: readonly [string, string],
  answer: Attack['answer'],
): Attack => ({
  name: `two later signatures over a text, with ${name}`,
  make: async () => {
    let deed = await deedOf(SETTINGS[0]!)
    for (const [at, look] of looks.entries()) {
      const withLook = revised(deed, { [FREE + at]: streamBody(look, FORM_OF_LOOK) })
      const field = `/AP<</N ${FREE + at} 0 R>>`
      deed = await signDeed(withLook, { number: 70 + 2 * at, rectangle: '[20 140 200 190]', field })
    }
    return deed.file
  },
  answer,
})
const FORM_OF_LOOK = `${FORM}/Resources<</Font<</F1 3 0 R>>>>`
const strips = (from: number) =>
  `0 g ${Array.from({ length: 13 }, (_, at) => `0 ${from + 4 * at} 180 1.9 re f`).join(' ')}`
const NAME = (y: number) => `BT 0 g /F1 9 Tf 5 ${y} Td (Firmado por Ana) Tj ET`

const together: Attack[] = [
  twice('strips that fill each other', [strips(0), strips(2)], DOUBTFUL),
  twice('half of the strips', [strips(0), NAME(30)], SHOWN),
  twice('words', [NAME(38), NAME(28)], SHOWN),
]

const DISC = '10 25 m 10 45 60 45 60 25 c 60 5 10 5 10 25 c'
const RING = `${DISC} 12 25 m 12 7 58 7 58 25 c 58 43 12 43 12 25 c f`
const scan = (name: string, look: string, answer: Attack['answer']) =>
  over(`a scan, with ${name}`, SCANNED, answer, {
    look,
    lookResources: STATES,
    more: { 18: printedScan() },
  })

const emptyField = (more: string) =>
  `<</FT/Sig/T(Segunda)/Type/Annot/Subtype/Widget/Rect[20 140 200 190]/F 132/P 10 0 R${more}>>`

/** The field was signed empty: its widget is no annotation that came later. */
const inEmptyField = (name: string, look: string, answer: Attack['answer']): Attack => ({
  name: `a field over a scan that was signed empty, with ${name}`,
  make: async () => {
    const deed = await deedOf(SETTINGS[0]!, {
      changes: (plain) => ({
        ...edited(plain, 8, ']', ' 70 0 R]'),
        ...edited(plain, 10, ']/Contents', ' 70 0 R]/Contents'),
        11: streamBody(SCANNED),
        18: printedScan(),
        70: emptyField(''),
      }),
    })
    const waiting = revised(deed, {
      70: emptyField(`/V 71 0 R/AP<</N ${FREE} 0 R>>`),
      71: waitingSignature('/M(D:20261120150000Z)'),
      [FREE]: streamBody(look, FORM_OF_LOOK),
    })
    return await sealedLater(waiting.file, await someSeal())
  },
  answer,
})

const emblems: Attack[] = [
  inEmptyField('a disc', `0 g ${DISC} f`, { verdict: ['INDETERMINATE'] }),
  inEmptyField('words', NAME(20), valid()),
  scan('a disc', `0 g ${DISC} f`, DOUBTFUL),
  scan('a pale disc', `0.9 g ${DISC} f`, DOUBTFUL),
  scan(
    'a disc as small as a letter',
    '0 g 50 20 m 50 29 58 29 58 20 c 58 11 50 11 50 20 c f',
    DOUBTFUL,
  ),
  scan('an area with a round corner', '0 g 0 0 m 0 50 l 180 50 l 180 9 180 0 171 0 c f', DOUBTFUL),
  scan('a wide curve', '0 G 12 w 10 10 m 60 40 90 0 150 30 c S', DOUBTFUL),
  scan(
    'strips with round ends',
    rows((y) => `0 ${y} m 0 ${y} 0 ${y} 0 ${y + 1.9} c 180 ${y + 1.9} l 180 ${y} l f`, 1.9),
    DOUBTFUL,
  ),
  scan(
    'bars with gaps as thin as hairs',
    `0 g 5 0 1 .1 re ${rows((y) => `5 ${y + 0.55} 150 0.9 re`, 1)} 160 25 m 165 30 170 20 175 25 c f`,
    DOUBTFUL,
  ),
  scan('a black area, multiplied', `/M gs 0 g ${AREA}`, DOUBTFUL),
  scan('a written name', '1 w 10 10 m 60 40 90 0 150 30 c S', SHOWN),
]

/** A point of half a point below, where a 3 of 24 points would end. */
const decimalPoint = Uint8Array.from({ length: SIDE * SIDE }, (_, at) =>
  [88, 89].includes(at % SIDE) && [298, 299].includes(Math.floor(at / SIDE)) ? 0 : 255,
)
const lighter = (lightness: number) => gray(digit.map((one) => (one === 0 ? lightness : 255)))

/** A white area over what may be a 3, from (30, 145) to (60, 175). */
const covered = (
  name: string,
  answer: Attack['answer'],
  scan: string,
  { page = SCANNED, more = {} }: { page?: string; more?: Bodies } = {},
) =>
  over(`${name}, with an area`, page, answer, {
    rectangle: '[30 145 60 175]',
    look: '1 g 0 0 30 30 re f',
    more: { 18: scan, ...more },
  })

const areas: Attack[] = [
  covered('a scanned digit', DOUBTFUL, gray(digit)),
  covered('a pale scanned digit', DOUBTFUL, lighter(230)),
  covered('a scanned decimal point', DOUBTFUL, gray(decimalPoint)),
  covered('a scanned digit in pictures of one row', DOUBTFUL, '', {
    page: ROWS.content,
    more: ROWS.bodies,
  }),
  over('strokes in pictures of one row, with an area as narrow as these', ROWS.content, DOUBTFUL, {
    ...{ rectangle: '[32 145 39 175]', look: '1 g 0 0 7 30 re f', more: ROWS.bodies },
  }),
  over('a blank part of pictures of one row, with an area', ROWS.content, SHOWN, {
    ...{ rectangle: '[132 145 139 175]', look: '1 g 0 0 7 30 re f', more: ROWS.bodies },
  }),
  covered('a scan that is called a fax and is none', DOUBTFUL, FAX),
  covered('a digit coded for faxes', DOUBTFUL, FAX_OF_DIGIT),
  covered('a blank fax', SHOWN, BLANK_FAX),
  covered('a blank part of a scan', SHOWN, lighter(255)),
]

/** No part of all families: the oracle compares what is printed, and a picture is printed all over. */
export const THIN_EMBLEMS: Family = {
  name: 'emblems and areas that leave a scan legible',
  attacks: [
    scan('a ring', `0.9 g ${RING}`, SHOWN),
    covered('a scanned line to write on', SHOWN, gray(line)),
  ],
}

export const INKS: readonly Family[] = [
  { name: 'transparent ink of later signatures', attacks: transparent },
  { name: 'thin ink of later signatures', attacks: thin },
  { name: 'inks of several signatures', attacks: together },
  { name: 'emblems over scans', attacks: emblems },
  { name: 'areas over scans', attacks: areas },
]
