import { expect, test } from 'vitest'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { appendPage } from '#server/domain/pdf/append-page.ts'
import { addPage, createCanvas } from '#server/domain/pdf/canvas.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import type { IncrementalUpdate } from '#server/domain/pdf/incremental-update.ts'
import {
  array,
  byteString,
  dictionary,
  name,
  reference,
  withEntries,
} from '#server/domain/pdf/object.ts'
import { signatureDictionaries } from '#server/domain/pdf/signature-dictionaries.ts'
import { encodeText } from '#server/domain/pdf/text-string.ts'
import { changesAfter } from '#server/domain/verification/changes/changes-after.ts'
import { type ChangeFact, changeFact } from '#server/domain/verification/codes/change-codes.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithObjectStream,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { rewritten } from '#tests/unit/domain/pdf/variants.ts'
import {
  appearance,
  changed,
  changesIn,
  edit,
  factsOf,
  levelOf,
  newStream,
  signed,
} from './signed-files.ts'

const text = (value: string) => byteString(encodeText(value))

/** Page 1 has a text field (5), an empty signature field (6) and an appearance (7) of the text field. */
const bodies = (): Bodies => {
  const plain = bodiesWithPages(2, '/AcroForm 8 0 R')
  return {
    ...plain,
    5: '<</FT/Tx/T(Precio)/V(1000)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R/AP<</N 7 0 R>>>>',
    6: '<</FT/Sig/T(Notario)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R>>',
    7: streamBody('BT (1000) Tj ET', '/Type/XObject/Subtype/Form'),
    8: '<</Fields[5 0 R 6 0 R]/DA(/F1 0 Tf)/DR<</Font<</F1 3 0 R>>>>>>',
    10: plain[10]!.replace('/Contents', '/Annots[5 0 R 6 0 R]/Contents'),
  }
}
const contract = () => signed(pdfWithTable(bodies()))
const sheet = createCanvas({ width: 300, height: 300 })

test('unchanged file: has no changes', () => {
  expect(changesIn(contract())).toEqual([])
})

test.each([
  ['a table', pdfWithTable(bodies())],
  ['an object stream', pdfWithObjectStream(bodies())],
  ['qpdf object streams', rewritten(pdfWithTable(bodies()), '--object-streams=generate')],
  ['a linearized file', rewritten(pdfWithTable(bodies()), '--linearize')],
])('%s takes further signatures', (_, original) => {
  const twice = signed(signed(original))
  expect(changesIn(twice)).toMatchObject([
    {
      level: 'FORM_FILLING',
      revision: 3,
      code: 'signature-added',
      parameters: { field: 'Firma2' },
    },
  ])
  expect(levelOf(signed(twice))).toBe('FORM_FILLING')
})

test('writing equal objects again is no change', () => {
  const again = changed(contract(), (update) => {
    for (const number of [1, 2, 3, 5, 8, 10]) edit(update, number, {})
    update.set(reference(11), newStream('BT /F1 24 Tf 30 150 Td (Page 1) Tj ET'))
    edit(update, 10, { MediaBox: array([0, 0, 300.0, 300]) })
  })
  expect(changesIn(again)).toEqual([])
})

test('objects that nothing leads to are no change', () => {
  expect(changesIn(changed(contract(), (update) => update.add(text('litter'))))).toEqual([])
})

const ALLOWED: [string, string, (update: IncrementalUpdate) => void][] = [
  [
    'validation data',
    'LTA_UPDATES',
    (update) => {
      const certificate = update.add(newStream('DER'))
      update.setCatalog(
        withEntries(update.catalog(), {
          DSS: update.add(dictionary({ Certs: array([certificate]) })),
          Extensions: dictionary({ ESIC: dictionary({ ExtensionLevel: 2 }) }),
        }),
      )
    },
  ],
  [
    'dates and programs in the metadata',
    'LTA_UPDATES',
    (update) => edit(update, 4, { ModDate: text('D:2027'), Producer: text('Rúbrica') }),
  ],
  [
    'a filled field',
    'FORM_FILLING',
    (update) =>
      edit(update, 5, {
        V: text('20'),
        AP: dictionary({ N: appearance(update, 'BT /F1 9 Tf (20) Tj ET') }),
      }),
  ],
  [
    'a filled field whose appearance is written in place',
    'FORM_FILLING',
    (update) => {
      edit(update, 5, { V: text('20') })
      update.set(
        reference(7),
        newStream('BT /F1 9 Tf (20) Tj ET', {
          Type: name('XObject'),
          Subtype: name('Form'),
          BBox: array([0, 0, 9, 9]),
        }),
      )
    },
  ],
  [
    'the order of the tab key',
    'NONE',
    (update) => edit(update, 10, { Tabs: name('S'), LastModified: text('D:2027') }),
  ],
  [
    'more fonts for the form',
    'NONE',
    (update) =>
      edit(update, 8, {
        DR: dictionary({ Font: dictionary({ F1: reference(3), F2: update.add(dictionary({})) }) }),
      }),
  ],
]

test.each(ALLOWED)('%s may come after a signature', (_, level, change) => {
  expect(levelOf(changed(contract(), change))).toBe(level)
})

test('a document timestamp is an update for the long term', () => {
  expect(changesIn(signed(contract(), { subFilter: 'ETSI.RFC3161' }))).toMatchObject([
    { level: 'LTA_UPDATES', code: 'document-timestamp-added', parameters: { field: 'Firma2' } },
  ])
})

test('a visible signature says on which page it is seen', () => {
  let shown = reference(0)
  const file = signed(
    contract(),
    {
      get visible() {
        return { rectangle: [0, 0, 90, 90] as const, appearance: shown }
      },
    },
    (update) => {
      shown = appearance(update, 'q Q')
    },
  )
  expect(factsOf(file)).toEqual([['signature-added', { field: 'Firma2', visible: true, page: 1 }]])
})

test('an empty signature field may be signed', () => {
  const file = changed(contract(), (update) => {
    const value = update.add(
      dictionary({
        Type: name('Sig'),
        SubFilter: name('X'),
        ByteRange: array([0, 1, 2, 3]),
        Contents: text('x'),
      }),
    )
    edit(update, 6, { V: value, AP: dictionary({ N: appearance(update, 'q Q') }), F: 132 })
  })
  expect(changesIn(file)).toMatchObject([
    { level: 'FORM_FILLING', code: 'field-signed', parameters: { field: 'Notario' } },
  ])
})

test.each<[string, string, number[], string]>([
  ['may lose its place', '', [0, 0, 0, 0], 'FORM_FILLING'],
  ['may not be moved', '', [0, 0, 90, 90], 'OTHER'],
  ['keeps its place, if it showed something', '/MK<</BG[1]>>', [0, 0, 0, 0], 'OTHER'],
])('an empty field that is signed without an appearance %s', (_, look, rectangle, level) => {
  const plain = bodies()
  const field = plain[6]!.replace('/P 10', `${look}/F 4/P 10`)
  const file = changed(signed(pdfWithTable({ ...plain, 6: field })), (update) => {
    const value = update.add(
      dictionary({
        Type: name('Sig'),
        SubFilter: name('X'),
        ByteRange: array([0, 1, 2, 3]),
        Contents: text('x'),
      }),
    )
    edit(update, 6, { V: value, Rect: array(rectangle) })
  })
  expect(levelOf(file)).toBe(level)
})

const FORBIDDEN: [string, ChangeFact, (update: IncrementalUpdate) => void][] = [
  [
    'content',
    changeFact('page-content-replaced', { page: 2 }),
    (update) => update.set(reference(13), newStream('BT (9) Tj ET')),
  ],
  [
    'other content',
    changeFact('page-content-replaced', { page: 1 }),
    (update) => edit(update, 10, { Contents: update.add(newStream('x')) }),
  ],
  [
    'a size',
    changeFact('page-entry-changed', { page: 2, key: 'MediaBox' }),
    (update) => edit(update, 12, { MediaBox: array([0, 0, 9, 9]) }),
  ],
  [
    'resources',
    changeFact('page-resources-changed', { page: 2 }),
    (update) => edit(update, 12, { Resources: dictionary({}) }),
  ],
  [
    'a font',
    changeFact('font-changed', { page: 1 }),
    (update) => edit(update, 3, { BaseFont: name('Symbol') }),
  ],
  [
    'an annotation',
    changeFact('annotation-added', { page: 2 }),
    (update) =>
      edit(update, 12, { Annots: array([update.add(dictionary({ Subtype: name('FreeText') }))]) }),
  ],
  [
    'a missing annotation',
    changeFact('annotations-removed-or-reordered', { page: 1 }),
    (update) => edit(update, 10, { Annots: array([reference(5)]) }),
  ],
  [
    'the title',
    changeFact('information-changed', { key: 'Title' }),
    (update) => edit(update, 4, { Title: text('Otra') }),
  ],
  [
    'an action',
    changeFact('open-action-changed'),
    (update) =>
      update.setCatalog(withEntries(update.catalog(), { OpenAction: array([reference(12)]) })),
  ],
  [
    'layers',
    changeFact('layers-changed'),
    (update) => update.setCatalog(withEntries(update.catalog(), { OCProperties: dictionary({}) })),
  ],
  [
    'pages',
    changeFact('page-tree-replaced'),
    (update) =>
      update.setCatalog(
        withEntries(update.catalog(), { Pages: update.add(dictionary({ Kids: array([]) })) }),
      ),
  ],
  [
    'a page',
    changeFact('pages-added'),
    (update) => appendPage(update, addPage(update, sheet, { Font: {}, XObject: {} })),
  ],
  [
    'the place of a field',
    changeFact('field-changed', { field: 'Precio' }),
    (update) => edit(update, 5, { V: text('2'), Rect: array([0, 0, 300, 300]) }),
  ],
  [
    'a look without a value',
    changeFact('field-look-changed', { field: 'Precio' }),
    (update) => edit(update, 5, { AP: dictionary({ N: appearance(update, '(20)') }) }),
  ],
  [
    'a look with the same value in another encoding',
    changeFact('field-look-changed', { field: 'Precio' }),
    (update) =>
      edit(update, 5, {
        V: byteString(bytesOf('\xfe\xff\x001\x000\x000\x000')),
        AP: dictionary({ N: appearance(update, '(20)') }),
      }),
  ],
  [
    'a look without a value, in place',
    changeFact('field-look-changed', { field: 'Precio' }),
    (update) =>
      update.set(reference(7), newStream('(20)', { Type: name('XObject'), Subtype: name('Form') })),
  ],
  [
    'a text field',
    changeFact('field-added'),
    (update) =>
      edit(update, 8, {
        Fields: array([reference(5), reference(6), update.add(dictionary({ FT: name('Tx') }))]),
      }),
  ],
  [
    'a missing field',
    changeFact('fields-removed-or-reordered'),
    (update) => edit(update, 8, { Fields: array([reference(6)]) }),
  ],
  [
    'drawing the fields anew',
    changeFact('form-entry-changed', { key: 'NeedAppearances' }),
    (update) => edit(update, 8, { NeedAppearances: true }),
  ],
  [
    'a font of the form',
    changeFact('form-entry-changed', { key: 'DR' }),
    (update) =>
      edit(update, 8, { DR: dictionary({ Font: dictionary({ F1: update.add(name('x')) }) }) }),
  ],
]

test.each(FORBIDDEN)('%s may not come after a signature', (_, { code, parameters }, change) => {
  const file = changed(contract(), change)
  expect(factsOf(file)).toContainEqual([code, parameters])
  expect(levelOf(file)).toBe('OTHER')
})

test('a forbidden change is found beside an allowed one', () => {
  const file = signed(contract(), {}, (update) =>
    update.set(reference(13), newStream('BT (9) Tj ET')),
  )
  expect(changesIn(file).map(({ level, page }) => [level, page])).toEqual([
    ['FORM_FILLING', undefined],
    ['OTHER', 2],
  ])
})

test('a change of an earlier revision is found after a harmless one', () => {
  const file = signed(changed(contract(), (update) => update.set(reference(13), newStream('x'))))
  expect(changesIn(file)).toContainEqual(
    expect.objectContaining({ level: 'OTHER', revision: 3, object: '13 0' }),
  )
})

test('each change is said of the last revision that wrote its object', () => {
  const twice = changed(
    changed(contract(), (update) => update.set(reference(13), newStream('x'))),
    (update) => edit(update, 4, { Title: text('Otra') }),
  )
  const found = changesIn(twice).map(({ object, revision }) => [object, revision])
  expect(found.toSorted()).toEqual([
    ['13 0', 3],
    ['4 0', 4],
  ])
  const again = changed(twice, (update) => update.set(reference(13), newStream('y')))
  expect(changesIn(again)).toContainEqual(expect.objectContaining({ object: '13 0', revision: 5 }))
})

test('a change without a page names none', () => {
  const [change] = changesIn(changed(contract(), (update) => edit(update, 4, { Title: text('x') })))
  expect(change).not.toHaveProperty('page')
})

test('another catalog is another document', () => {
  const base = contract()
  const file = appendTable(
    base,
    { 90: '<</Type/Catalog/Pages 91 0 R>>', 91: '<</Type/Pages/Kids[]/Count 0>>' },
    { root: 90 },
  )
  expect(factsOf(file)).toContainEqual(['catalog-replaced', {}])
})

test('a freed object is missed', () => {
  const base = contract()
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(base))![1]
  const file = concatBytes(
    base,
    bytesOf(
      `xref\n13 1\n0000000000 00001 f \ntrailer\n<</Size 99/Root 1 0 R/Info 4 0 R/Prev ${start}>>\nstartxref\n${base.length}\n%%EOF\n`,
    ),
  )
  expect(changesIn(file)).toMatchObject([{ level: 'OTHER', object: '13 0', page: 2 }])
})

test('an object that the signed document left undefined may not be defined later', () => {
  const open = { ...bodies(), 12: bodies()[12]!.replace('13 0 R', '[13 0 R 70 0 R]') }
  const base = signed(pdfWithTable(open))
  const file = changed(base, (update) => update.set(reference(70), newStream('BT (9) Tj ET')))
  expect(changesIn(file)).toMatchObject([
    { level: 'OTHER', object: '70 0', page: 2, code: 'page-content-replaced' },
  ])
})

test('an appearance that a page uses too may not be filled in', () => {
  const sneaky = {
    ...bodies(),
    12: bodies()[12]!.replace('/Font<<', '/XObject<</X 7 0 R>>/Font<<'),
  }
  const base = signed(pdfWithTable(sneaky))
  const fill = (update: IncrementalUpdate) => {
    edit(update, 5, { V: text('20') })
    update.set(reference(7), newStream('(20)', { Type: name('XObject'), Subtype: name('Form') }))
  }
  expect(levelOf(changed(base, fill))).toBe('OTHER')
})

test('validation data that a page uses too is no validation data', () => {
  const shared = {
    ...bodies(),
    1: bodies()[1]!.replace('/AcroForm', '/DSS<</Certs[13 0 R]>>/AcroForm'),
  }
  const base = signed(pdfWithTable(shared))
  expect(levelOf(changed(base, (update) => update.set(reference(13), newStream('x'))))).toBe(
    'OTHER',
  )
})

test('a widget may not be shown on two pages', () => {
  const file = changed(signed(contract()), (update) => {
    const form = update.resolve(reference(8))
    const fields =
      form !== null && typeof form === 'object' && form.kind === 'dictionary'
        ? update.resolve(form.entries.get('Fields'))
        : null
    const last =
      fields !== null && typeof fields === 'object' && fields.kind === 'array'
        ? fields.items.at(-1)!
        : null
    edit(update, 12, { Annots: array([last]) })
  })
  expect(factsOf(file)).toContainEqual(['annotation-added', { page: 2 }])
})

test('a field that the signature locked may not be filled in', () => {
  const locked = changed(contract(), (update) => edit(update, 5, { V: text('20') }))
  const document = readDocument(memorySource(locked))
  expect(document.revisions).toHaveLength(3)
  const [signature] = signatureDictionaries(document)
  const lock = { action: 'Include', fields: ['Precio'] } as const
  const [first] = changesAfter(document, 1, { ...signature!, locks: [lock] }).changes
  expect(first).toMatchObject({
    level: 'OTHER',
    ...changeFact('locked-field-filled', { field: 'Precio' }),
  })
})

test('more changes than a person reads are counted', () => {
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, at) => [100 + at, '7']))
  const list = Object.keys(many)
    .map((number) => `${number} 0 R`)
    .join(' ')
  const base = signed(
    pdfWithTable({
      ...bodies(),
      9: `[${list}]`,
      ...many,
      1: bodies()[1]!.replace('/AcroForm', '/Own 9 0 R/AcroForm'),
    }),
  )
  const file = changed(base, (update) => {
    for (const number of Object.keys(many)) update.set(reference(Number(number)), 8)
  })
  expect(changesIn(file)).toHaveLength(51)
  expect(factsOf(file).at(-1)).toEqual(['more-changes', { count: 30 }])
})
