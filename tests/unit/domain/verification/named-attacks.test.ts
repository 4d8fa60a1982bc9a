import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { appendTable, type Bodies, streamBody, textOf } from '#tests/support/pdf/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  sealOf,
  verified,
  withTail,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Each attack that is known by a name is called by it in the report. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'
const page = (entries: string, resources = '') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>${resources}>>/Contents 11 0 R${entries}>>`
const CATALOG = (fields: string) =>
  `<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[${fields}]/SigFlags 3>>>>`
const TEXT_FIELD =
  '<</FT/Tx/T(Precio)/V(1000)/Type/Annot/Subtype/Widget/Rect[0 0 90 20]/P 10 0 R/AP<</N 31 0 R>>>>'
const look = (text: string) => streamBody(`BT /F1 12 Tf (${text}) Tj ET`, FORM)

type Attack = { signed?: Partial<HandSigned>; later: Bodies; root?: number }

/** Two pages of which one is shown; the other waits in the signed file. */
const WAITING: Bodies = {
  40: '<</Type/Pages/Kids[41 0 R]/Count 1>>',
  41: '<</Type/Page/Parent 40 0 R/MediaBox[0 0 300 300]/Contents 42 0 R>>',
  42: streamBody('BT (Otra cosa) Tj ET'),
}
const withField: Bodies = {
  1: CATALOG('20 0 R 30 0 R'),
  10: page('/Annots[20 0 R 30 0 R]'),
  30: TEXT_FIELD,
  31: look('1000'),
}

const ATTACKS: [string, `attack-${string}`, Attack][] = [
  [
    'shadow, hide: the picture that covered the text is gone',
    'attack-shadow-hide',
    {
      signed: {
        bodies: { 10: page('/Annots[20 0 R]', '/XObject<</X 30 0 R>>'), 30: streamBody('', FORM) },
      },
      later: { 30: 'null' },
    },
  ],
  [
    'shadow, hide: an annotation is gone',
    'attack-shadow-hide',
    {
      signed: {
        bodies: {
          10: page('/Annots[20 0 R 30 0 R]'),
          30: '<</Type/Annot/Subtype/Square/Rect[0 0 9 9]>>',
        },
      },
      later: { 10: page('/Annots[20 0 R]') },
    },
  ],
  [
    'shadow, replace: another font',
    'attack-shadow-replace',
    { later: { 3: '<</Type/Font/Subtype/Type1/BaseFont/Symbol>>' } },
  ],
  [
    'shadow, replace: a field that looks different',
    'attack-shadow-replace',
    { signed: { bodies: withField }, later: { 31: look('2000') } },
  ],
  [
    'shadow, hide and replace: what was hidden in the file',
    'attack-shadow-hide-and-replace',
    {
      signed: { bodies: WAITING },
      later: { 2: '<</Type/Pages/Kids[41 0 R]/Count 1>>' },
    },
  ],
  [
    'incremental saving: another page content',
    'attack-incremental-saving',
    { later: { 11: streamBody('BT (Otra cosa) Tj ET') } },
  ],
  [
    'overlay by annotation',
    'attack-overlay-by-annotation',
    {
      later: {
        10: page('/Annots[20 0 R 30 0 R]'),
        30: '<</Type/Annot/Subtype/FreeText/Rect[0 0 300 300]/Contents(Otra cosa)>>',
      },
    },
  ],
  [
    'overlay by an unsigned field',
    'attack-overlay-by-annotation',
    {
      later: {
        1: CATALOG('20 0 R 30 0 R'),
        10: page('/Annots[20 0 R 30 0 R]'),
        30: '<</FT/Sig/T(Firma9)/Type/Annot/Subtype/Widget/F 4/Rect[0 0 300 300]/P 10 0 R/AP<</N 31 0 R>>>>',
        31: look('Otra cosa'),
      },
    },
  ],
  [
    'sneaky sharing: the look of a field is a figure of the page',
    'attack-sneaky-sharing',
    {
      signed: {
        bodies: {
          ...withField,
          10: page('/Annots[20 0 R 30 0 R]', '/XObject<</X 31 0 R>>'),
        },
      },
      later: { 30: TEXT_FIELD.replace('1000', '2000'), 31: look('2000') },
    },
  ],
  [
    'a trailer that leads to another catalog',
    'attack-trailer-or-catalog-swap',
    { signed: { bodies: WAITING }, later: { 50: '<</Type/Catalog/Pages 40 0 R>>' }, root: 50 },
  ],
  [
    'a catalog that leads to other pages',
    'attack-trailer-or-catalog-swap',
    { signed: { bodies: WAITING }, later: { 1: CATALOG('20 0 R').replace('2 0 R', '40 0 R') } },
  ],
]

test.each(ATTACKS)('%s', async (_, named, { signed, later, root }) => {
  const file = await handSigned({ seal: sealOf(efirma), ...signed })
  expect((await verified(file)).verdict).toBe('VALID')
  const report = await verified(appendTable(file, later, root === undefined ? {} : { root }))
  expect(report.verdict).toBe('INVALID')
  const said = report.signatures.flatMap(({ warnings }) => warnings)
  // Removing the form removes the signature as well: then the report says so.
  expect(codesOf([...said, ...report.warnings])).toContain(named)
})

test('incremental saving without a cross-reference', async () => {
  const file = await handSigned({ seal: sealOf(efirma) })
  const loose = withTail(file, `11 0 obj\n${streamBody('BT (Otra cosa) Tj ET')}\nendobj\n%%EOF\n`)
  const report = await verified(loose)
  expect(report.verdict).not.toBe('VALID')
  expect(codesOf(report.first.warnings)).toContain('attack-incremental-saving')
  expect(codesOf(report.first.changes)).toEqual([
    'loose-objects-added',
    'other-version-after-signature',
  ])
})

test.each<[string, string, Partial<HandSigned>]>([
  ['no /ByteRange', 'byte-range-missing', { byteRange: () => 'null' }],
  [
    'a negative /ByteRange',
    'byte-range-impossible',
    { byteRange: ([, ...rest]) => `[-1 ${rest.join(' ')}]` },
  ],
  ['an empty /Contents', 'contents-missing', { contents: () => '<>' }],
  ['no /Contents', 'contents-missing', { contents: () => 'null' }],
])('universal forgery: %s', async (_, code, options) => {
  const report = await verified(await handSigned({ seal: sealOf(efirma), ...options }))
  expect(report.verdict).toBe('INVALID')
  expect(report.first.warnings[0]?.code).toBe(code)
})

test('signature wrapping: objects in the gap are called an attack', async () => {
  const report = await verified(
    await handSigned({
      seal: sealOf(efirma),
      byteRange: ([a, b, c, d]) => `[${a} ${b - 500} ${c} ${d}]`,
    }),
  )
  expect(report.verdict).toBe('INVALID')
  expect(report.first.warnings[0]?.code).toBe('objects-in-gap')
})

test('a gap that holds more than the signature and no object is called no attack', async () => {
  const report = await verified(
    await handSigned({
      seal: sealOf(efirma),
      byteRange: ([a, b, c, d]) => `[${a} ${b - 20} ${c} ${d}]`,
    }),
  )
  expect(report.verdict).toBe('INVALID')
  expect(report.first.warnings[0]?.code).toBe('gap-differs-from-contents')
})

test('a second part that ends after the file is called incomplete', async () => {
  const file = textOf(await handSigned({ seal: sealOf(efirma) }))
  const report = await verified(
    Buffer.from(
      file.replace(/(\/ByteRange \[0 \d+ )(\d+)/, (_, head, tail) => `${head}${Number(tail) + 10}`),
      'latin1',
    ),
  )
  expect(report.verdict).toBe('INVALID')
  expect(report.first.warnings[0]?.code).toBe('byte-range-beyond-file')
  expect(report.headline.code).toBe('file-truncated')
})
