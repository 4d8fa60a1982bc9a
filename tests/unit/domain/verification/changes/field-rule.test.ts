import { describe, expect, test } from 'vitest'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  name,
  type PdfObject,
  reference,
} from '#server/domain/pdf/object.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
} from '#tests/support/pdf/pdf-builders.ts'
import { changed, changesIn, edit, newStream, signed } from './signed-files.ts'

const FORM = { Type: name('XObject'), Subtype: name('Form'), BBox: array([0, 0, 90, 9]) }
const text = (value: string) => byteString(bytesOf(value))

type Setting = { field?: string; form?: string; lock?: string; look?: string; page?: boolean }

/** A text field (5) on the page and a signature field (6) on none. */
function base({ field = '', form = '', lock = '', look, page = true }: Setting = {}) {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const kind = field.includes('/FT') ? '' : '/FT/Tx'
  return signed(
    pdfWithTable({
      ...plain,
      5: `<<${kind}/T(Precio)/Type/Annot/Subtype/Widget/Rect[0 0 90 9]${field}>>`,
      6: `<</FT/Sig/T(Notario)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/DA(/F1 9 Tf)${lock}>>`,
      8: `<</Fields[5 0 R 6 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 3 0 R>>>>${form}>>`,
      10: page ? plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents') : plain[10]!,
      9: streamBody(look ?? 'nada', look && '/Type/XObject/Subtype/Form/BBox[0 0 90 9]'),
    }),
  )
}

function filled(entries: Record<string, PdfObject>, setting: Setting = {}, shown = '1000') {
  const file = changed(base(setting), (update) => {
    const look = update.add(newStream(`BT /F1 6 Tf 2 2 Td (${shown}) Tj ET`, FORM))
    edit(update, 5, { V: text('1000'), AP: dictionary({ N: look }), ...entries })
  })
  const [change, ...more] = changesIn(file)
  expect(more).toEqual([])
  return change!
}

const FILLED = { level: 'FORM_FILLING', code: 'field-filled' }

test('filled field: is said with its page, or without where it is on none', () => {
  expect(filled({})).toMatchObject({ ...FILLED, page: 1, object: '5 0' })
  expect(filled({}, { page: false })).not.toHaveProperty('page')
})

test('filled field: may be one whose value others are computed from', () => {
  expect(filled({}, { form: '/CO[5 0 R]' })).toMatchObject(FILLED)
})

const OPTIONS = '/FT/Ch/Ff 131072/Opt[[(1000)(Mil)](2000)]'
const inUnicode = (value: string) =>
  byteString(Uint8Array.from([254, 255, ...[...value].flatMap((one) => [0, one.charCodeAt(0)])]))

test.each<[string, PdfObject, object]>([
  [
    'the same in another encoding',
    array([array([inUnicode('1000'), text('Mil')]), inUnicode('2000')]),
    FILLED,
  ],
  ['others', array([array([text('1000'), text('Mil')]), text('3000')]), { level: 'OTHER' }],
  ['fewer', array([array([text('1000'), text('Mil')])]), { level: 'OTHER' }],
  ['none', array([]), { level: 'OTHER' }],
  ['what are none', array([name('a')]), { level: 'OTHER' }],
])('options of a filled field: %s', (_, options, answer) => {
  expect(filled({ Opt: options }, { field: OPTIONS }, 'Mil')).toMatchObject(answer)
  // A field without options gets none.
  expect(filled({ Opt: options })).toMatchObject({ level: 'OTHER' })
})

test.each<[string, Record<string, PdfObject>, object]>([
  ['a default appearance', { DA: text('/F1 6 Tf 0 g') }, FILLED],
  ['a default appearance in white', { DA: text('/F1 6 Tf 1 g') }, { level: 'OTHER' }],
  ['a thin border', { BS: dictionary({ W: 3 }) }, FILLED],
  ['a border without a width', { BS: dictionary({}) }, FILLED],
  ['a wide border', { BS: dictionary({ W: 4 }) }, { level: 'OTHER' }],
  ['an empty description', { TU: text('') }, FILLED],
  ['a description', { TU: text('Otra cosa') }, { level: 'OTHER' }],
  ['flags that say nothing', { Ff: 0 }, FILLED],
  ['flags', { Ff: 1 }, { level: 'OTHER' }],
  ['another place', { Rect: array([0, 0, 90, 90]) }, { level: 'OTHER' }],
  ['an action', { A: dictionary({}) }, { level: 'OTHER' }],
])('filled field: gains %s', (_, entries, answer) => {
  expect(filled(entries)).toMatchObject(answer)
})

const PAINTED = '/MK<</BG[0.87 0.9 1]/BC[0.5]/R 0/CA(a)>>'

test.each<[string, string, Record<string, PdfObject>, object]>([
  [
    'in 255 steps, gray in red, green and blue, without a turn of 0',
    PAINTED,
    {
      BG: array([222 / 255, 230 / 255, 1]),
      BC: array([128 / 255, 128 / 255, 128 / 255]),
      CA: text('a'),
    },
    FILLED,
  ],
  ['with nothing in it', '', {}, FILLED],
  ['with another background', '/MK<</BG[1]>>', { BG: array([0.99]) }, { level: 'OTHER' }],
  ['with no background', '/MK<</BG[1]>>', {}, { level: 'OTHER' }],
  ['with a background', '/MK<<>>', { BG: array([1]) }, { level: 'OTHER' }],
  ['in another colour space', '/MK<</BG[0 0 0 0]>>', { BG: array([1]) }, { level: 'OTHER' }],
  ['with what is no colour', '/MK<</BG[(a)]>>', { BG: array([0]) }, { level: 'OTHER' }],
  ['with another caption', '/MK<</CA(a)>>', { CA: text('b') }, { level: 'OTHER' }],
  ['turned', '/MK<</R 0>>', { R: 90 }, { level: 'OTHER' }],
  ['turned back', '/MK<</R 90>>', {}, { level: 'OTHER' }],
])('filled field: how readers draw it is written anew, %s', (_, field, style, answer) => {
  expect(filled({ MK: dictionary(style) }, { field })).toMatchObject(answer)
})

test.each<[string, Record<string, PdfObject>, object]>([
  [
    'a default appearance',
    { DA: text('/F1 6 Tf') },
    { level: 'FORM_FILLING', code: 'field-signed' },
  ],
  ['a background', { MK: dictionary({}) }, { level: 'FORM_FILLING', code: 'field-signed' }],
  ['its page', { P: reference(10) }, { level: 'FORM_FILLING', code: 'field-signed' }],
  ['a name', { NM: text('a') }, { level: 'FORM_FILLING', code: 'field-signed' }],
  ['flags of printing', { F: 132 }, { level: 'FORM_FILLING', code: 'field-signed' }],
  ['a lock', { Lock: dictionary({}) }, { level: 'FORM_FILLING', code: 'field-signed' }],
  ['an action', { A: dictionary({}) }, { level: 'OTHER', code: 'field-changed' }],
])('signed field: gains %s', (_, entries, answer) => {
  expect(changesIn(laterSigned(base(), entries))).toMatchObject([answer])
})

test('signed field: keeps the lock that it had', () => {
  const file = laterSigned(base({ lock: '/Lock<</Action/All>>' }), { Lock: dictionary({}) })
  expect(changesIn(file)).toMatchObject([{ level: 'OTHER', code: 'field-changed' }])
})

/** The empty signature field with a signature, and with more entries; `also` changes the text field. */
function laterSigned(
  file: Uint8Array,
  entries: Record<string, PdfObject>,
  also: (update: IncrementalUpdate) => void = () => {},
): Uint8Array {
  return changed(file, (update) => {
    also(update)
    const V = update.add(
      dictionary({ SubFilter: name('X'), ByteRange: array([0, 1, 2, 3]), Contents: text('x') }),
    )
    edit(update, 6, { V, ...entries })
  })
}

describe('locked field: a later signature', () => {
  const SIGNED = { level: 'FORM_FILLING', code: 'field-signed' }
  const SHOWN = '/V(1000)/AP<</N 9 0 R>>'
  const lockedIn = (
    entries: Record<string, PdfObject>,
    { field = SHOWN, action = 'All', shown = '1000' } = {},
  ) =>
    changesIn(
      laterSigned(
        base({ field, look: `BT /F1 6 Tf 2 2 Td (${shown}) Tj ET` }),
        { Lock: dictionary({ Action: name(action), Fields: array([text('Otro')]) }) },
        (update) => edit(update, 5, entries),
      ),
    )

  test.each([
    ['a field', {}],
    ['an empty field', { field: '' }],
    ['a check box', { field: '/FT/Btn' }],
    ['a button', { field: '/FT/Btn/Ff 65536' }],
    ['all but another one', { action: 'Exclude' }],
  ])('makes %s read-only', (_, setting) => {
    const { field = '' } = setting as { field?: string }
    const Ff = 1 + (field.includes('65536') ? 65_536 : 0)
    expect(lockedIn({ Ff }, setting)).toMatchObject([SIGNED])
  })

  test('may be made with what was filled in', () => {
    const file = laterSigned(base({}), { Lock: dictionary({ Action: name('All') }) }, (update) => {
      const N = update.add(newStream('BT /F1 6 Tf 2 2 Td (1000) Tj ET', FORM))
      edit(update, 5, { V: text('1000'), AP: dictionary({ N }), Ff: 1 })
    })
    expect(changesIn(file)).toMatchObject([FILLED, SIGNED])
  })

  test.each<[string, Record<string, PdfObject>, object]>([
    ['a field that it does not lock', { Ff: 1 }, { action: 'Include' }],
    ['what gets other flags too', { Ff: 3 }, {}],
    ['what gets other flags', { Ff: 4096 }, {}],
    ['what changes otherwise too', { Ff: 1, TU: text('Otro') }, {}],
    ['what shows another value: some readers show the value until then', { Ff: 1 }, { shown: '9' }],
    ['what was read-only before', { Ff: 0 }, { field: `${SHOWN}/Ff 1` }],
  ])('does not explain %s', (_, entries, setting) => {
    expect(lockedIn(entries, setting)).toContainEqual(expect.objectContaining({ level: 'OTHER' }))
  })
})

test('filled field: is judged as what else it is, too', () => {
  expect(filled({}, { form: '/Own 5 0 R' })).toMatchObject({ level: 'OTHER' })
})

test('filled field: a combo box has one value, and shows it', () => {
  const chosen = (...values: string[]) =>
    filled({ V: array(values.map(text)) }, { field: OPTIONS }, 'Mil')
  expect(chosen('1000')).toMatchObject(FILLED)
  expect(chosen('1000', '2000')).toMatchObject({ code: 'field-shows-other-value' })
})

const CHOICE = '/FT/Ch/Ff 131072'
const LIST = '/FT/Ch/Opt[(1000)(2000)]'
const OTHER_VALUE = { level: 'OTHER', code: 'field-shows-other-value' }

test.each<[string, Record<string, PdfObject>, object, string?]>([
  ['of its value', { I: array([0]) }, FILLED],
  ['of its value in a list', { V: array([text('1000')]), I: array([0]) }, FILLED],
  ['that is not there', { I: null }, FILLED],
  ['of another option', { I: array([1]) }, OTHER_VALUE],
  ['of no option', { I: array([2]) }, OTHER_VALUE],
  ['of one option more', { I: array([0, 1]) }, OTHER_VALUE],
  ['that is no list', { I: 0 }, OTHER_VALUE],
  ['without options', { I: array([0]) }, OTHER_VALUE, CHOICE],
])('filled field: a choice by number %s', (_, entries, answer, field = OPTIONS) => {
  expect(filled(entries, { field }, field === OPTIONS ? 'Mil' : '1000')).toMatchObject(answer)
})

/** Cells of a letter each, as many as the field above says. */
test.each([
  ['as many cells as the field above it says', '/MaxLen 4', FILLED],
  ['cells without a number', '', OTHER_VALUE],
])('filled field: letters far apart are shown in %s', (_, above, answer) => {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const bodies = {
    ...plain,
    4: `<</FT/Tx/T(Escritura)/Kids[5 0 R]${above}>>`,
    5: '<</T(Precio)/Parent 4 0 R/Ff 16777216/Type/Annot/Subtype/Widget/Rect[0 0 90 9]>>',
    8: '<</Fields[4 0 R]/DA(/F1 9 Tf)/DR<</Font<</F1 3 0 R>>>>>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R]/Contents'),
  }
  const file = changed(signed(pdfWithTable(bodies)), (update) => {
    const N = update.add(newStream('BT /F1 6 Tf 9 2 Td 18 Tc (1000) Tj ET', FORM))
    edit(update, 5, { V: text('1000'), AP: dictionary({ N }) })
  })
  expect(changesIn(file)).toMatchObject([answer])
})

test('filled field: one that is its own parent is judged as any other', () => {
  expect(filled({}, { field: '/Ff 16777216/Parent 5 0 R' })).toMatchObject(FILLED)
})

test('filled field: a password is neither shown nor repeated', () => {
  const setting = { field: '/Ff 8192' }
  expect(filled({}, setting, '****')).toMatchObject({ ...FILLED, parameters: { value: '•••' } })
  expect(filled({}, setting, '1000')).toMatchObject({ code: 'field-shows-other-value' })
})

test.each([
  ['what is no text', name('1000')],
  ['a text and what is none', array([text('1000'), name('2000')])],
])('filled field: a choice of %s shows another value', (_, V) => {
  for (const [field, shown] of [
    [OPTIONS, 'Mil'],
    [OPTIONS, ''],
    [LIST, ''],
    [LIST, '1000'],
  ] as const)
    expect(filled({ V }, { field }, shown), `${field} ${shown}`).toMatchObject(OTHER_VALUE)
})

test('filled field: what it shows while it is pressed stays', () => {
  const setting = { field: '/AP<</N 9 0 R/D 9 0 R>>' }
  const pressed = (D: PdfObject) =>
    changesIn(
      changed(base(setting), (update) => {
        const N = update.add(newStream('BT /F1 6 Tf 2 2 Td (1000) Tj ET', FORM))
        edit(update, 5, { V: text('1000'), AP: dictionary({ N, D }) })
      }),
    )
  expect(pressed(reference(9))).toMatchObject([FILLED])
  expect(pressed(reference(11))).toMatchObject([{ level: 'OTHER' }])
})

test('filled field: does not look like what is used elsewhere', () => {
  const file = changed(base({ form: '/Own 9 0 R' }), (update) =>
    edit(update, 5, { V: text('1000'), AP: dictionary({ N: reference(9) }) }),
  )
  expect(changesIn(file)).toMatchObject([{ code: 'field-look-shared', attack: 'sneaky-sharing' }])
})

test('filled field: is judged as what else it becomes, too', () => {
  const file = changed(base(), (update) => {
    const N = update.add(newStream('BT /F1 6 Tf 2 2 Td (1000) Tj ET', FORM))
    edit(update, 5, { V: text('1000'), AP: dictionary({ N }) })
    const [Subtype, Rect] = [name('Text'), array([10, 10, 30, 30])]
    const note = update.add(dictionary({ Subtype, Rect, IRT: reference(5) }))
    edit(update, 10, { Annots: array([reference(5), reference(21), note]) })
  })
  const codes = changesIn(file).map(({ code }) => code)
  expect(codes).toContain('field-changed')
  expect(codes).not.toContain('field-filled')
})

test('signed field: may not lose its widget', () => {
  const plain = bodiesWithPages(1, '/AcroForm 8 0 R')
  const bodies = {
    ...plain,
    6: '<</FT/Sig/T(Notario)/Kids[7 0 R]>>',
    7: '<</Rect[0 0 0 0]/Subtype/Widget/Parent 6 0 R>>',
    8: '<</Fields[6 0 R]>>',
  }
  const file = changed(signed(pdfWithTable(bodies)), (update) => {
    const V = update.add(
      dictionary({ SubFilter: name('X'), ByteRange: array([0, 1, 2, 3]), Contents: text('x') }),
    )
    edit(update, 6, { V })
    update.set(reference(7), null)
  })
  expect(changesIn(file).map(({ level }) => level)).toContain('OTHER')
})
