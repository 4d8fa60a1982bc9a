import { expect, test } from 'vitest'
import { concatBytes } from '#server/domain/bytes.ts'
import type { Comparison } from '#server/domain/verification/changes/comparison.ts'
import { judgeTrailer } from '#server/domain/verification/changes/trailer-rule.ts'
import type { ChangeFact } from '#server/domain/verification/codes/change-codes.ts'
import {
  appendTable,
  type Bodies,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { factsOf, signed } from './signed-files.ts'

/* Each code of a change that no story of another test has, by the smallest file that shows it. */

const PLAIN = bodiesWithPages(2, '/AcroForm 8 0 R')
const FIELD =
  '<</FT/Tx/T(Precio)/V(1000)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R/AP<</N 7 0 R>>>>'
const LOOK = (text: string) =>
  streamBody(`BT /F1 9 Tf (${text}) Tj ET`, '/Type/XObject/Subtype/Form/BBox[0 0 9 9]')
const WAITING = '<</FT/Sig/T(Notario)/Type/Annot/Subtype/Widget/Rect[0 0 9 9]/P 10 0 R>>'
const BASE: Bodies = {
  ...PLAIN,
  5: FIELD,
  6: WAITING,
  7: LOOK('1000'),
  8: '<</Fields[5 0 R 6 0 R]/DA(/F1 0 Tf)/DR<</Font<</F1 3 0 R>>>>>>',
  10: PLAIN[10]!.replace('/Contents', '/Annots[5 0 R 6 0 R]/Contents'),
}
const catalogWith = (entries: string) => PLAIN[1]!.replace('/Pages', `${entries}/Pages`)
const STAMP = '<</Type/DocTimeStamp/SubFilter/ETSI.RFC3161/ByteRange[0 1 2 3]/Contents <30>>>'

/** A later signature whose look is an area over page 2. */
const COVERING: Bodies = {
  8: BASE[8]!.replace('6 0 R', '6 0 R 50 0 R'),
  12: PLAIN[12]!.replace('/Contents', '/Annots[50 0 R]/Contents'),
  50: '<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[0 0 300 300]/F 4/P 12 0 R/V 51 0 R/AP<</N 52 0 R>>>>',
  51: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
  52: streamBody('1 g 0 0 300 300 re f', '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'),
}

type Vector = [code: ChangeFact['code'], later: Bodies, before?: Bodies]

const VECTORS: Vector[] = [
  ['document-actions-changed', { 1: catalogWith('/AA<</WC 3 0 R>>') }],
  ['names-changed', { 1: catalogWith('/Names<</Dests 3 0 R>>') }],
  ['permissions-changed', { 1: catalogWith('/Perms<</DocMDP 3 0 R>>') }],
  ['catalog-entry-changed', { 1: catalogWith('/PageMode/FullScreen') }],
  ['catalog-entry-changed', { 1: catalogWith('/constructor 1') }],
  ['catalog-entry-changed', { 1: catalogWith('/__proto__ 1') }],
  ['page-entry-changed', { 12: PLAIN[12]!.replace('/Contents', '/constructor 1/Contents') }],
  ['validation-data-added', { 1: catalogWith('/DSS 40 0 R'), 40: '<</Certs[]>>' }],
  [
    'validation-data-removed',
    { 1: catalogWith('/DSS<<>>') },
    { 1: catalogWith('/DSS 40 0 R'), 40: '<</Certs[]>>' },
  ],
  [
    'field-not-fillable',
    { 5: FIELD.replace('/V(1000)', '/Ff 1/V(2000)'), 7: LOOK('2000') },
    { 5: FIELD.replace('/V', '/Ff 1/V') },
  ],
  ['signature-covers-content', COVERING],
  [
    'signature-may-cover-content',
    COVERING,
    { 13: streamBody('BI /W 1 /H 1 /BPC 8 /CS /G ID x EI') },
  ],
  [
    'note-may-cover-content',
    {
      12: PLAIN[12]!.replace('/Contents', '/Annots[50 0 R]/Contents'),
      50: '<</Type/Annot/Subtype/Text/Rect[40 40 60 60]>>',
    },
    { 13: streamBody('q 300 0 0 300 0 0 cm BI /W 1 /H 1 /BPC 8 /CS /G ID x EI Q') },
  ],
  ['page-actions-changed', { 12: PLAIN[12]!.replace('/Contents', '/AA<<>>/Contents') }],
  ['shared-page-data-changed', { 2: PLAIN[2]!.replace('/Kids', '/Rotate 90/Kids') }],
  ['pages-removed', { 2: '<</Type/Pages/Kids[10 0 R]/Count 1>>' }],
  ['pages-exchanged', { 2: '<</Type/Pages/Kids[10 0 R 50 0 R]/Count 2>>', 50: PLAIN[10]! }],
  ['pages-reordered', { 2: '<</Type/Pages/Kids[12 0 R 10 0 R]/Count 2>>' }],
  ['page-tree-changed', { 2: '<</Type/Pages/Kids[10 0 R 12 0 R]/Count 7>>' }],
  [
    'annotation-changed',
    { 50: '<</Type/Annot/Subtype/Square/Rect[0 0 99 99]>>' },
    {
      12: PLAIN[12]!.replace('/Contents', '/Annots[50 0 R]/Contents'),
      50: '<</Type/Annot/Subtype/Square/Rect[0 0 9 9]>>',
    },
  ],
  [
    'field-look-shared',
    { 5: FIELD.replace('1000', '2000'), 7: LOOK('2000') },
    { 12: PLAIN[12]!.replace('/Font<<', '/XObject<</X 7 0 R>>/Font<<') },
  ],
  [
    'field-writes-over-content',
    { 5: FIELD.replace('1000', '2000'), 7: LOOK('2000') },
    { 7: LOOK(''), 11: streamBody('BT /F1 9 Tf (3000) Tj ET') },
  ],
  ['field-shows-other-value', { 5: FIELD.replace('1000', '2000'), 7: LOOK('3000') }],
  ['field-timestamped', { 6: WAITING.replace('/P ', '/V 50 0 R/P '), 50: STAMP }],
  [
    'empty-signature-field-added',
    {
      8: BASE[8]!.replace('6 0 R', '6 0 R 50 0 R'),
      50: '<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 12 0 R>>',
    },
  ],
  [
    'unlisted-signature-added',
    {
      12: PLAIN[12]!.replace('/Contents', '/Annots[50 0 R]/Contents'),
      50: '<</FT/Sig/T(Otro)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]/P 12 0 R/V 51 0 R>>',
      51: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
    },
  ],
  [
    'picture-changed',
    { 50: LOOK('otra') },
    { 12: PLAIN[12]!.replace('/Font<<', '/XObject<</X 50 0 R>>/Font<<'), 50: LOOK('una') },
  ],
  [
    'earlier-signature-changed',
    { 50: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 4]/Contents <30>>>' },
    {
      6: WAITING.replace('/P ', '/V 50 0 R/P '),
      50: '<</Type/Sig/SubFilter/X/ByteRange[0 1 2 3]/Contents <30>>>',
    },
  ],
  ['metadata-updated', { 4: PLAIN[4]!.replace('>>', '/ModDate(D:20270101)>>') }],
  [
    'metadata-changed',
    { 50: streamBody('<y/>', '/Type/Metadata/Subtype/XML') },
    {
      3: PLAIN[3]!.replace('>>', '/Metadata 50 0 R>>'),
      50: streamBody('<x/>', '/Type/Metadata/Subtype/XML'),
    },
  ],
  ['object-changed', { 50: '8' }, { 1: catalogWith('/Own 50 0 R'), 50: '7' }],
  ['object-defined', { 50: '8' }, { 1: catalogWith('/Own 50 0 R') }],
]

test.each(VECTORS)('%s', (code, later, before = {}) => {
  const file = appendTable(signed(pdfWithTable({ ...BASE, ...before })), later)
  expect(factsOf(file).map(([found]) => found)).toContain(code)
})

test('encryption-changed', () => {
  const trailer = (entries: [string, number][]) => ({ trailer: { entries: new Map(entries) } })
  const { findings } = judgeTrailer({
    before: trailer([['Root', 1]]),
    after: trailer([
      ['Root', 1],
      ['Encrypt', 2],
    ]),
    isSame: Object.is,
  } as unknown as Comparison)
  expect(findings.map(({ code }) => code)).toEqual(['encryption-changed'])
})

test('object-removed', () => {
  const base = signed(pdfWithTable({ ...BASE, 1: catalogWith('/Own 50 0 R'), 50: '7' }))
  const start = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(textOf(base))![1]
  const freed = `xref\n50 1\n0000000000 00001 f \ntrailer\n<</Size 99/Root 1 0 R/Info 4 0 R/Prev ${start}>>\nstartxref\n${base.length}\n%%EOF\n`
  expect(factsOf(concatBytes(base, bytesOf(freed)))).toContainEqual([
    'object-removed',
    { object: 50, page: null },
  ])
})
