import { expect, test } from 'vitest'
import { array, byteString, dictionary, name, reference } from '#server/domain/pdf/object.ts'
import { encodeText } from '#server/domain/pdf/text-string.ts'
import { worstLevel } from '#server/domain/verification/modification.ts'
import {
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

/* The appearance of a filled field, compared with its new value. */

const FORM = { Type: name('XObject'), Subtype: name('Form'), BBox: array([0, 0, 90, 9]) }
const LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 90 9]'

const bodies = (field = '', form = ''): Bodies => {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  return {
    ...plain,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    5: `<<${field.includes('/FT') ? '' : '/FT/Tx'}/T(Precio)/Type/Annot/Subtype/Widget${field.includes('/Rect') ? '' : '/Rect[0 0 90 9]'}/P 10 0 R${field}>>`,
    8: `<</Fields[5 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 3 0 R/F2 14 0 R/F3 15 0 R/F4 17 0 R/F5 19 0 R>>>>${form}>>`,
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
    14: '<</Type/Font/Subtype/Type0/BaseFont/Own/Encoding/Identity-H/ToUnicode 16 0 R>>',
    15: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding<</Differences[1/one/zero/ntilde/G7]>>>>',
    17: '<</Type/Font/Subtype/TrueType/BaseFont/Own/FontDescriptor<</FontFile2 18 0 R>>>>',
    18: streamBody('', ''),
    19: '<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 48/LastChar 49/Widths[1 1]/CharProcs<<>>/Encoding<</Differences[48/zero/one]>>>>',
    16: streamBody(
      '1 begincodespacerange <0000> <ffff> endcodespacerange 1 beginbfchar <0001> <0039> endbfchar ' +
        '1 beginbfrange <0002> <0003> <0030> endbfrange',
    ),
  }
}

function filled(value: string, look: string, field = '', form = ''): string {
  const [, width = 90, height = 9] = /\/Rect\[0 0 (\d+) (\d+)\]/.exec(field)?.map(Number) ?? []
  const file = changed(signed(pdfWithTable(bodies(field, form))), (update) => {
    const appearance = update.add(newStream(look, { ...FORM, BBox: array([0, 0, width, height]) }))
    edit(update, 5, {
      V: byteString(encodeText(value)),
      AP: dictionary({ N: appearance }),
    })
  })
  const [change] = changesIn(file)
  return `${change!.level} ${change!.code}`
}

const FILLED = 'FORM_FILLING field-filled'
const DIFFERENT = 'OTHER field-shows-other-value'

test.each([
  ['in one piece', '1000', '/Tx BMC q BT /F1 9 Tf 2 2 Td (1000) Tj ET Q EMC'],
  ['letter by letter', '1000', 'BT /F1 9 Tf [(1) -20 (0) 3 (00)] TJ ET'],
  ['in several lines', 'mil pesos', "BT /F1 4 Tf 4 TL 2 5 Td (mil) Tj (pesos) ' ET"],
  ['with accents', 'Núñez', 'BT /F1 9 Tf (N\\372\\361ez) Tj ET'],
  ['by a table of the font', '900', 'BT /F2 9 Tf <000100020002> Tj ET'],
  ['by names of its characters', '10ñ', 'BT /F3 9 Tf <010203> Tj ET'],
  ['without letters that its font lacks', 'Łódź', 'BT /F1 9 Tf (\\363d) Tj ET'],
  ['with signs for letters that its font lacks', 'Łódź', 'BT /F1 9 Tf (\\267\\363d?) Tj ET'],
  ['nothing, where it has no value', '', 'q 0 0 9 9 re W n Q'],
])('a field may show its value %s', (_, value, look) => {
  expect(filled(value, look)).toBe(FILLED)
})

test.each([
  ['another amount', '1000', 'BT /F1 9 Tf (9000) Tj ET'],
  ['more than it', '1000', 'BT /F1 9 Tf (1000 000) Tj ET'],
  ['nothing', '1000', 'q Q'],
  ['other letters for those that its font lacks', 'Łódź', 'BT /F1 9 Tf (L\\363dz) Tj ET'],
  ['signs for letters that its font has', 'Núñez', 'BT /F1 9 Tf (N??ez) Tj ET'],
  ['something, where it has no value', '', 'BT /F1 9 Tf (1000) Tj ET'],
  ['another amount by the table of a font', '1000', 'BT /F2 9 Tf <0001000200020002> Tj ET'],
])('a field may not show %s', (_, value, look) => {
  expect(filled(value, look)).toBe(DIFFERENT)
})

test('a password is shown as stars', () => {
  expect(filled('1000', 'BT /F1 9 Tf (****) Tj ET', '/Ff 8192')).toBe(FILLED)
  expect(filled('1000', 'BT /F1 9 Tf (9000) Tj ET', '/Ff 8192')).toBe(DIFFERENT)
})

const script = (call: string) => `/AA<</F<</S/JavaScript/JS(${call.replace(/[()]/g, '\\$&')})>>>>`
const PESOS = script('AFNumber_Format(2, 0, 0, 0, "$", true);')

test.each([
  ['an amount', PESOS, '1000', '$1,000.00', FILLED],
  ['a negative amount', PESOS, '-1000.5', '-$1,000.50', FILLED],
  ['a rounded amount', PESOS, '0.125', '$0.13', FILLED],
  ['another amount', PESOS, '1000', '$9,999.00', DIFFERENT],
  ['an amount without its decimals', PESOS, '1000.75', '$1,000', DIFFERENT],
  ['an amount with its point elsewhere', PESOS, '1000', '$100.00', DIFFERENT],
  ['an amount without its sign', PESOS, '-1000', '$1,000.00', DIFFERENT],
  ['an amount in another currency', PESOS, '1000', 'USD1,000.00', DIFFERENT],
  ['a part', script('AFPercent_Format(1, 0)'), '0.255', '25.5%', FILLED],
  ['another part', script('AFPercent_Format(1, 0)'), '0.255', '0.3%', DIFFERENT],
  ['a date', script('AFDate_FormatEx("d mmm yyyy")'), '05/02/2026', '5 feb 2026', FILLED],
  ['another date', script('AFDate_FormatEx("d mmm yyyy")'), '05/02/2026', '2 may 2026', DIFFERENT],
  ['a telephone number', script('AFSpecial_Format(2)'), '5512345678', '(551) 234-5678', FILLED],
  ['any script', script('own()'), '1000', '$1000', FILLED],
  ['any script that adds decimals', script('own()'), '1000', '10.00', DIFFERENT],
  ['any script that says nothing', script('own()'), '1000', '', DIFFERENT],
])('a value that a script writes out: %s', (_, field, value, shown, answer) => {
  const look = `BT /F1 6 Tf (${shown.replace(/[()]/g, '\\$&')}) Tj ET`
  expect(filled(value, look, field)).toBe(answer)
})

test('a form whose fields readers draw themselves shows the value, too', () => {
  const needing = '/NeedAppearances true'
  expect(filled('1000', 'BT /F1 9 Tf (1000) Tj ET', '', needing)).toBe(FILLED)
  expect(filled('1000', 'BT /F1 9 Tf (9000) Tj ET', '', needing)).toBe(DIFFERENT)
})

test.each([
  ['a font without a key', 'BT /F3 9 Tf <04> Tj ET'],
  ['a font with codes of its own', 'BT /F4 9 Tf (9) Tj ET'],
  ['no font', 'BT (9) Tj ET'],
])('text that cannot be read is no value: %s', (_, look) => {
  expect(filled('1000', look)).toBe(DIFFERENT)
})

/** Each shows "1000" to a program that reads the text, and something else, or more, to people. */
test.each([
  ['over each other', 'BT /F1 9 Tf -5 Tc (1000) Tj ET'],
  ['far apart', 'BT /F1 9 Tf 900 Tc (1000) Tj ET'],
  ['from right to left', 'BT /F1 9 Tf 30 2 Td (100) Tj -20 0 Td (0) Tj ET'],
  ['from bottom to top', 'BT /F1 4 Tf 2 1 Td (10) Tj 0 4 Td (00) Tj ET'],
  ['in part outside', 'BT /F1 9 Tf 2 2 Td (10) Tj 500 0 Td (00) Tj ET'],
  ['outside', 'BT /F1 9 Tf 2 -50 Td (1000) Tj ET'],
  ['above', 'BT /F1 9 Tf 2 2 Td 50 Ts (1000) Tj ET'],
  ['mirrored', 'BT /F1 9 Tf -1 0 0 1 50 2 Tm (1000) Tj ET'],
  ['turned', 'BT /F1 9 Tf 0 1 -1 0 50 2 Tm (1000) Tj ET'],
  ['squeezed', 'BT /F1 9 Tf 1 Tz (1000) Tj ET'],
  ['stretched', 'BT /F1 9 Tf 900 Tz (1000) Tj ET'],
  ['giant', 'BT /F1 400 Tf (1000) Tj ET'],
  ['giant by a matrix', 'BT /F1 1 Tf 400 0 0 400 0 0 Tm (1000) Tj ET'],
  ['giant by the coordinates', '40 0 0 40 0 0 cm BT /F1 9 Tf (1000) Tj ET'],
  ['tiny', 'BT /F1 0.1 Tf (1000) Tj ET'],
  ['invisible', 'BT /F1 9 Tf 3 Tr (1000) Tj ET'],
  ['as a clip', 'BT /F1 9 Tf 7 Tr (1000) Tj ET'],
  ['by wide outlines', '90 w BT /F1 9 Tf 1 Tr (1000) Tj ET'],
  ['filled, with wide outlines', '90 w BT /F1 9 Tf 2 Tr (1000) Tj ET'],
  ['white', '1 g BT /F1 9 Tf (1000) Tj ET'],
  ['white, by a colour space', '/DeviceRGB cs 1 1 1 sc BT /F1 9 Tf (1000) Tj ET'],
  ['transparent', '/G gs BT /F1 9 Tf (1000) Tj ET'],
  ['clipped away', 'q 0 0 5 9 re W n BT /F1 9 Tf (1000) Tj ET Q'],
  ['clipped by nothing', 'q W n BT /F1 9 Tf (1000) Tj ET Q'],
  ['clipped by a triangle', 'q 0 0 m 90 0 l 0 9 l W n BT /F1 9 Tf (1000) Tj ET Q'],
  ['in a layer', '/OC /L BDC BT /F1 9 Tf (1000) Tj ET EMC'],
  ['below an area', 'BT /F1 9 Tf (1000) Tj ET 1 g 0 0 90 9 re f'],
  ['with a wide line', '90 w 0 5 m 90 5 l S BT /F1 9 Tf (1000) Tj ET'],
  ['with a line through it', 'BT /F1 9 Tf (1000) Tj ET 0 5 m 40 5 l S'],
  [
    'with lines that are digits',
    'BT /F1 9 Tf (1000) Tj ET 60 2 m 60 8 l S 70 2 m 76 2 l 76 8 l 70 8 l s',
  ],
  ['with a curve', 'BT /F1 9 Tf (1000) Tj ET 50 2 m 50 9 80 9 80 2 c S'],
  ['with an unknown instruction', 'BT /F1 9 Tf (1000) Tj ET xyz'],
  ['with what another place defines', '/Missing Do BT /F1 9 Tf (1000) Tj ET'],
])('a value may not be shown %s', (_, look) => {
  expect(filled('1000', look)).toBe(DIFFERENT)
  expect(filled('1000', `1 1 0 rg 0 0 90 9 re f 0 g ${look}`, '/MK<</BG[1 1 0]>>')).toBe(DIFFERENT)
})

/** As programs write them. */
test.each([
  ['Acrobat', '/Tx BMC q 1 1 88 7 re W n BT 0 g /F1 6 Tf 2 2 Td (1000) Tj ET Q EMC', ''],
  [
    'pdf-lib',
    'q 0 0 90 9 re W n /Tx BMC q BT 0 0 0 rg /F1 6 Tf 0 Tw 6 TL 1 0 0 1 2 2 Tm <31303030> Tj T* ET Q EMC Q',
    '',
  ],
  [
    'pdf-lib, with a border',
    'q 1 0 0 1 0 0 cm 1 w 0 0 0 RG 1 1 0 rg [] 0 d 0 0 m 0 9 l 90 9 l 90 0 l h B Q /Tx BMC q BT 0 g /F1 6 Tf 1 0 0 1 2 2 Tm (1000) Tj ET Q EMC',
    '/MK<</BG[1 1 0]/BC[0]>>',
  ],
  ['PDFBox', '/Tx BMC q 1 1 88 7 re W n q BT /F1 6 Tf 0 g 2 2.3 Td (1000) Tj ET Q Q EMC', ''],
  ['iText', '/Tx BMC q BT /F1 6 Tf 0 g 1 0 0 1 2 2.31 Tm (1000)Tj ET Q EMC', ''],
  [
    'a comb',
    '/Tx BMC q BT /F1 6 Tf 5 2 Td (1) Tj 22 0 Td (0) Tj 22 0 Td (0) Tj 22 0 Td (0) Tj ET Q EMC 22 0 m 22 9 l 45 0 m 45 9 l S',
    '/Ff 16777216/MaxLen 4',
  ],
  ['a border around it', '0 G 0.5 0.5 89 8 re s BT /F1 6 Tf 2 2 Td (1000) Tj ET', '/MK<</BC[0]>>'],
  [
    'a border around a high field',
    '0 G 0.5 0.5 89 17 re s BT /F1 6 Tf 2 2 Td (1000) Tj ET',
    '/Rect[0 0 90 18]/MK<</BC[0]>>',
  ],
  ['a line below it', '0 G 0 0.5 m 90 0.5 l S BT /F1 6 Tf 2 2 Td (1000) Tj ET', ''],
  ['fat letters', '0.2 w BT /F1 6 Tf 2 Tr 2 2 Td (1000) Tj ET', ''],
])('a value is shown as programs do it: %s', (_, look, field) => {
  expect(filled('1000', look, field)).toBe(FILLED)
})

test.each([
  ['a push button', '/FT/Btn/Ff 65536'],
  ['a field that is only read', '/Ff 1'],
  ['a field of no kind', '/FT/Own'],
])('%s is not filled in', (_, field) => {
  expect(filled('1000', 'BT /F1 9 Tf (1000) Tj ET', field)).toBe('OTHER field-not-fillable')
})

test.each([
  ['an area', '1 g 0 0 90 9 re f BT /F1 9 Tf (1000) Tj ET'],
  ['a picture', 'BT /F1 9 Tf (1000) Tj ET BI /W 1 /H 1 /BPC 8 /CS /G ID x EI'],
  ['a shading', '/S sh BT /F1 9 Tf (1000) Tj ET'],
  ['a pattern', '/Pattern cs /P scn 0 0 90 9 re B BT /F1 9 Tf (1000) Tj ET'],
  ['letters that are drawn by instructions', 'BT /F5 9 Tf (1000) Tj ET'],
  ['instructions that break off', 'BT /F1 9 Tf (1000) Tj ET (9'],
])('a look that had nothing may not hide the page below it: %s', (_, look) => {
  expect(filled('1000', look)).toBe(DIFFERENT)
  expect(filled('1000', look, '', '/NeedAppearances true')).toBe(DIFFERENT)
})

test.each([
  ['a background', '/MK<</BG[1 1 0]>>'],
  ['a border', '/MK<</BC[0]>>'],
])('a field with %s and no look was signed as readers draw it', (_, field) => {
  expect(filled('1000', '1 1 0 rg 0 0 90 9 re f 0 g BT /F1 9 Tf (1000) Tj ET', field)).toBe(FILLED)
})

test('a background that was signed stays', () => {
  const area = (text: string) => `1 1 0 rg 0 0 90 9 re f 0 g BT /F1 9 Tf (${text}) Tj ET`
  const look = streamBody(area('1000'), LOOK)
  const base = signed(pdfWithTable({ ...bodies('/V(1000)/AP<</N 7 0 R>>'), 7: look }))
  const file = changed(base, (update) => {
    edit(update, 5, { V: byteString(bytesOf('2000')) })
    update.set(reference(7), newStream(area('2000'), FORM))
  })
  expect(changesIn(file)[0]).toMatchObject({ level: 'FORM_FILLING' })
})

test('a field is filled in wherever the lists that hold it are written', () => {
  const plain = bodies('/V(1000)/AP<</N 7 0 R>>')
  const lists = {
    ...plain,
    7: streamBody('BT /F1 9 Tf (1000) Tj ET', LOOK),
    8: plain[8]!.replace('[5 0 R]', ' 20 0 R'),
    10: plain[10]!.replace('[5 0 R]', ' 21 0 R'),
    20: '[5 0 R]',
    21: '[5 0 R]',
  }
  const file = changed(signed(pdfWithTable(lists)), (update) => {
    edit(update, 5, { V: byteString(bytesOf('2000')) })
    update.set(reference(7), newStream('BT /F1 9 Tf (2000) Tj ET', FORM))
  })
  expect(changesIn(file)).toMatchObject([{ level: 'FORM_FILLING', code: 'field-filled' }])
})

test.each([
  ['names nothing else', 'BT /F1 9 Tf (Hoja) Tj ET', 'Helv', 'FORM_FILLING'],
  ['names the font that it lacks', 'BT /Helv 9 Tf (Hoja) Tj ET', 'Helv', 'OTHER'],
  ['writes its name with numbers', 'BT /H#65lv 9 Tf (Hoja) Tj ET', 'Helv', 'OTHER'],
  ['cannot be read', '', 'Helv', 'OTHER'],
  ['names a font that is exchanged', 'BT /F1 9 Tf (Hoja) Tj ET', 'F1', 'OTHER'],
])(
  'a form and a page share their list of fonts, which grows: content that %s',
  (_, content, added, level) => {
    const plain = bodies('/V(1000)')
    const shared = {
      ...plain,
      8: plain[8]!.replace(/\/DR<<\/Font<<.*?>>>>/, '/DR<</Font 22 0 R>>'),
      10: plain[10]!.replace(/\/Resources<<.*?>>>>/, '/Resources<</Font 22 0 R>>'),
      11: streamBody(content || 'x', content ? '' : '/Filter/Own'),
      22: '<</F1 3 0 R>>',
    }
    const file = changed(signed(pdfWithTable(shared)), (update) => {
      edit(update, 5, { V: byteString(bytesOf('2000')) })
      edit(update, 22, { [added]: reference(15) })
    })
    expect(worstLevel(changesIn(file))).toBe(level)
  },
)

test('a list that lists are written into, and that other things use, is no list of the form', () => {
  const plain = bodies('/V(1000)')
  const lists = {
    ...plain,
    8: plain[8]!.replace('[5 0 R]', ' 20 0 R'),
    12: plain[10]!,
    20: '[5 0 R]',
    1: plain[1]!.replace('/AcroForm', '/Own 20 0 R/AcroForm'),
  }
  const file = changed(signed(pdfWithTable(lists)), (update) =>
    edit(update, 5, { V: byteString(bytesOf('2000')) }),
  )
  expect(changesIn(file)[0]).toMatchObject({ level: 'OTHER' })
})

test('a long text is shown as far as there is room', () => {
  expect(filled('una dos tres', 'BT /F1 9 Tf (una dos) Tj ET', '/Ff 4096')).toBe(FILLED)
  expect(filled('una dos tres', 'BT /F1 9 Tf (una dos) Tj ET')).toBe(DIFFERENT)
})

test('text inside a form inside the look counts', () => {
  const file = changed(signed(pdfWithTable(bodies())), (update) => {
    const inner = update.add(newStream('BT /F1 9 Tf (9000) Tj ET', FORM))
    const resources = dictionary({ XObject: dictionary({ X: inner }) })
    const outer = update.add(newStream('q /X Do Q', { ...FORM, Resources: resources }))
    edit(update, 5, { V: byteString(bytesOf('1000')), AP: dictionary({ N: outer }) })
  })
  expect(changesIn(file)[0]).toMatchObject({ level: 'OTHER', attack: 'shadow-replace' })
})

test('a look that stayed as it was signed shows the old value', () => {
  const look = streamBody('BT /F1 9 Tf (1000) Tj ET', LOOK)
  const base = signed(pdfWithTable({ ...bodies('/V(1000)/AP<</N 7 0 R>>'), 7: look }))
  const file = changed(base, (update) => edit(update, 5, { V: byteString(bytesOf('2000')) }))
  expect(changesIn(file)[0]).toMatchObject({ level: 'OTHER' })
})

test('a look that goes with a value is drawn by readers where the form says so, if it was empty', () => {
  const level = (form: string, look: string) => {
    const plain = { ...bodies('/AP<</N 7 0 R>>', form), 7: streamBody(look, LOOK) }
    const file = changed(signed(pdfWithTable(plain)), (update) =>
      edit(update, 5, { V: byteString(bytesOf('2000')), AP: null }),
    )
    return changesIn(file)[0]!.level
  }
  expect(level('/NeedAppearances true', '/Tx BMC EMC')).toBe('FORM_FILLING')
  expect(level('/NeedAppearances true', '1 g 0 0 90 9 re f* /Tx BMC EMC')).toBe('FORM_FILLING')
  expect(level('/NeedAppearances true', 'BT /F1 9 Tf (1000) Tj ET')).toBe('OTHER')
  expect(level('/NeedAppearances true', '0 G 20 1 m 20 8 l S')).toBe('OTHER')
  expect(level('', '/Tx BMC EMC')).toBe('OTHER')
})

test('a turned look keeps the ground that it had while it was empty', () => {
  const ground = '0 1 -1 0 18 0 cm 0.9 g 0 0 90 18 re f'
  const entries = '/Type/XObject/Subtype/Form/BBox[0 0 18 90]'
  const plain = {
    ...bodies('/Rect[0 0 18 90]/MK<</R 90>>/AP<</N 7 0 R>>'),
    7: streamBody(`${ground} BT /F1 9 Tf 0 g 2 5 Td <> Tj ET`, entries),
  }
  const file = changed(signed(pdfWithTable(plain)), (update) => {
    const content = `${ground} BT /F1 9 Tf 0 g 2 5 Td (1000) Tj ET`
    const look = update.add(newStream(content, { ...FORM, BBox: array([0, 0, 18, 90]) }))
    edit(update, 5, { V: byteString(bytesOf('1000')), AP: dictionary({ N: look }) })
  })
  expect(changesIn(file)).toMatchObject([{ level: 'FORM_FILLING', code: 'field-filled' }])
})

test('an empty look is drawn by readers where the form says so', () => {
  const level = (form: string) => {
    const plain = { ...bodies('/AP<</N 7 0 R>>', form), 7: streamBody('/Tx BMC EMC', LOOK) }
    const file = changed(signed(pdfWithTable(plain)), (update) =>
      edit(update, 5, { V: byteString(bytesOf('2000')) }),
    )
    return changesIn(file)[0]!.level
  }
  expect(level('/NeedAppearances true')).toBe('FORM_FILLING')
  expect(level('')).toBe('OTHER')
})

const LIST = '/FT/Ch/Ff 131072/Opt[[(MX)(M\\351xico)][(ES)(Espa\\361a)]]'

test.each([
  ['its word for the value', 'BT /F1 9 Tf (M\\351xico) Tj ET', FILLED],
  ['the value', 'BT /F1 9 Tf (MX) Tj ET', FILLED],
  ['another word', 'BT /F1 9 Tf (Espa\\361a) Tj ET', DIFFERENT],
])('a list may show %s: %#', (_, look, answer) => {
  expect(filled('MX', look, LIST.replaceAll('\\\\', '\\'))).toBe(answer)
})

const LIST_BOX = '/FT/Ch/Opt[(Uno)(Dos)(Tres)]/Rect[0 0 90 36]'
const item = (text: string, at: number, shade = 0) =>
  `q BT ${shade} g /F1 9 Tf 2 ${26 - 11 * at} Td (${text}) Tj ET Q `
const ground = (at: number, more = 0) => `q 0 g 0 ${24 - 11 * at} 90 ${11 + more} re f Q `

test.each([
  [
    'before the chosen item',
    [item('Uno', 0), ground(1), item('Dos', 1, 1), item('Tres', 2)],
    FILLED,
  ],
  ['before all items', [ground(1), item('Uno', 0), item('Dos', 1, 1), item('Tres', 2)], FILLED],
  ['first, without the items above', [ground(0), item('Dos', 0, 1), item('Tres', 1)], FILLED],
  [
    'behind another item',
    [item('Uno', 0), ground(2), item('Dos', 1), item('Tres', 2, 1)],
    DIFFERENT,
  ],
  [
    'over the item above',
    [item('Uno', 0), ground(1, 4), item('Dos', 1, 1), item('Tres', 2)],
    DIFFERENT,
  ],
  ['over its item', [item('Uno', 0), item('Dos', 1, 1), ground(1), item('Tres', 2)], DIFFERENT],
  [
    'with a pale item beside it',
    [item('Uno', 0), ground(1), item('Dos', 1, 1), item('Tres', 2, 0.6)],
    DIFFERENT,
  ],
])('the ground of the chosen item of a list box is drawn %s', (_, content, answer) => {
  expect(filled('Dos', content.join(''), LIST_BOX)).toBe(answer)
})

test.each([
  ['in one as the widget says', '/MK<</R 90>>', '0 1 -1 0 18 0', FILLED],
  ['in another than the widget says', '/MK<</R 270>>', '0 1 -1 0 18 0', DIFFERENT],
  ['in one of a widget that is not turned', '', '0 1 -1 0 18 0', DIFFERENT],
  ['upside down', '/MK<</R 90>>', '0 -1 1 0 0 90', DIFFERENT],
])('a look writes in a turned direction, %s', (_, field, matrix, answer) => {
  const look = `/Tx BMC q ${matrix} cm BT /F1 9 Tf 2 5 Td (1000) Tj ET Q EMC`
  expect(filled('1000', look, `/Rect[0 0 18 90]${field}`)).toBe(answer)
})

const BOX_LOOK = '/Type/XObject/Subtype/Form/BBox[0 0 9 9]'

/** A button of two widgets; the second revision gives it a value and its widgets their states. */
function pressed(value: string, states: readonly string[]): string {
  const widget = (number: number) =>
    `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R/Parent 5 0 R/AS/Off/AP<</N<</Off 7 0 R/${number === 20 ? 'Si' : 'No'} 22 0 R>>>>>>`
  const plain = bodies()
  const base = signed(
    pdfWithTable({
      ...plain,
      5: '<</FT/Btn/Ff 32768/T(Precio)/V/Off/Kids[20 0 R 21 0 R]>>',
      7: streamBody('', BOX_LOOK),
      22: streamBody('BT /F1 9 Tf (X) Tj ET', BOX_LOOK),
      10: plain[10]!.replace('/Annots[5 0 R]', '/Annots[20 0 R 21 0 R]'),
      20: widget(20),
      21: widget(21),
    }),
  )
  const file = changed(base, (update) => {
    edit(update, 5, { V: name(value) })
    for (const [at, state] of states.entries()) edit(update, 20 + at, { AS: name(state) })
  })
  return `${changesIn(file)[0]!.level} ${changesIn(file)[0]!.code}`
}

test.each([
  ['its value', 'Si', ['Si', 'Off'], FILLED],
  ['the other value', 'Si', ['Off', 'No'], DIFFERENT],
  ['both', 'Si', ['Si', 'No'], DIFFERENT],
  ['what it showed when it was signed', 'Si', ['Off', 'Off'], DIFFERENT],
])('a button may show %s: %#', (_, value, states, answer) => {
  expect(pressed(value, states)).toBe(answer)
})

const OWN_LOOK = `${LOOK}/Resources<</XObject<</X 13 0 R>>/Font<</F5 12 0 R>>>>`
const withOwnLook = () =>
  pdfWithTable({
    ...bodies('/V(1000)/AP<</N 7 0 R>>'),
    7: streamBody('/X Do', OWN_LOOK),
    12: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    13: streamBody('BT /F5 9 Tf (1000) Tj ET', `${LOOK}/Resources<</Font<</F5 12 0 R>>>>`),
  })

test.each<[string, Parameters<typeof changed>[1]]>([
  [
    'a form inside its look',
    (update) => update.set(reference(13), newStream('BT /F1 9 Tf (9) Tj ET', FORM)),
  ],
  ['a font of its look', (update) => edit(update, 12, { BaseFont: name('Symbol') })],
])('the value may not change together with %s', (_, change) => {
  const file = changed(signed(withOwnLook()), (update) => {
    edit(update, 5, { V: byteString(bytesOf('2000')) })
    change(update)
  })
  expect(changesIn(file)[0]).toMatchObject({ level: 'OTHER', attack: 'shadow-replace' })
})
