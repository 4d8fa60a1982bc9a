import { expect, test } from 'vitest'
import { byteString, dictionary, name, reference } from '#server/domain/pdf/object.ts'
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

const FORM = { Type: name('XObject'), Subtype: name('Form') }

const bodies = (field = '', form = ''): Bodies => {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  return {
    ...plain,
    3: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    5: `<</FT/Tx/T(Precio)/Type/Annot/Subtype/Widget/Rect[0 0 90 9]/P 10 0 R${field}>>`,
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
  const file = changed(signed(pdfWithTable(bodies(field, form))), (update) => {
    const appearance = update.add(newStream(look, FORM))
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
  ['in several lines', 'mil pesos', "BT /F1 9 Tf (mil) Tj T* (pesos) ' ET"],
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

test.each([
  ['a password', '/Ff 8192', ''],
  ['an amount that a script writes out', '/AA<</F<</S/JavaScript/JS(x)>>>>', ''],
  ['fields that readers draw themselves', '', '/NeedAppearances true'],
])('%s is shown in another way', (_, field, form) => {
  expect(filled('1000', 'BT /F1 9 Tf (****) Tj ET', field, form)).toBe(FILLED)
})

test.each([
  ['a font without a key', 'BT /F3 9 Tf <04> Tj ET'],
  ['a font with codes of its own', 'BT /F4 9 Tf (9) Tj ET'],
  ['no font', 'BT (9) Tj ET'],
])('unreadable text does not count as another value: %s', (_, look) => {
  expect(filled('1000', look)).toBe(FILLED)
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
  expect(filled('1000', '1 1 0 rg 0 0 90 9 re f BT /F1 9 Tf (1000) Tj ET', field)).toBe(FILLED)
})

test('a background that was signed stays', () => {
  const area = (text: string) => `1 1 0 rg 0 0 90 9 re f BT /F1 9 Tf (${text}) Tj ET`
  const look = streamBody(area('1000'), '/Type/XObject/Subtype/Form')
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
    7: streamBody('BT /F1 9 Tf (1000) Tj ET', '/Type/XObject/Subtype/Form'),
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

test('a look that stayed as it was signed is not judged by the new value', () => {
  const look = streamBody('BT /F1 9 Tf (1000) Tj ET', '/Type/XObject/Subtype/Form')
  const base = signed(pdfWithTable({ ...bodies('/V(1000)/AP<</N 7 0 R>>'), 7: look }))
  const file = changed(base, (update) => edit(update, 5, { V: byteString(bytesOf('2000')) }))
  expect(changesIn(file)[0]).toMatchObject({ level: 'FORM_FILLING' })
  const both = changed(file, (update) =>
    update.set(reference(7), newStream('BT /F1 9 Tf (3000) Tj ET', FORM)),
  )
  expect(changesIn(both)[0]).toMatchObject({ level: 'OTHER' })
})

const LIST = '/FT/Ch/Ff 131072/Opt[[(MX)(M\\351xico)][(ES)(Espa\\361a)]]'

test.each([
  ['its word for the value', 'BT /F1 9 Tf (M\\351xico) Tj ET', FILLED],
  ['the value', 'BT /F1 9 Tf (MX) Tj ET', FILLED],
  ['another word', 'BT /F1 9 Tf (Espa\\361a) Tj ET', DIFFERENT],
])('a list may show %s: %#', (_, look, answer) => {
  expect(filled('MX', look, LIST.replaceAll('\\\\', '\\'))).toBe(answer)
})

/** A button of two widgets; the second revision gives it a value and its widgets their states. */
function pressed(value: string, states: readonly string[]): string {
  const widget = (number: number) =>
    `<</Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R/Parent 5 0 R/AS/Off/AP<</N<</Off 7 0 R/${number === 20 ? 'Si' : 'No'} 7 0 R>>>>>>`
  const plain = bodies()
  const base = signed(
    pdfWithTable({
      ...plain,
      5: '<</FT/Btn/Ff 32768/T(Precio)/V/Off/Kids[20 0 R 21 0 R]>>',
      7: streamBody('', '/Type/XObject/Subtype/Form'),
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
  ['what it showed when it was signed', 'Si', ['Off', 'Off'], FILLED],
])('a button may show %s: %#', (_, value, states, answer) => {
  expect(pressed(value, states)).toBe(answer)
})

const OWN_LOOK = '/Type/XObject/Subtype/Form/Resources<</XObject<</X 13 0 R>>/Font<</F5 12 0 R>>>>'
const withOwnLook = () =>
  pdfWithTable({
    ...bodies('/V(1000)/AP<</N 7 0 R>>'),
    7: streamBody('/X Do', OWN_LOOK),
    12: '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    13: streamBody(
      'BT /F5 9 Tf (1000) Tj ET',
      '/Type/XObject/Subtype/Form/Resources<</Font<</F5 12 0 R>>>>',
    ),
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
