import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { appendTable, type Bodies, streamBody } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const FORM = '/Type/XObject/Subtype/Form/BBox[0 0 300 300]'
const COVER = streamBody('1 g 0 0 300 300 re f', FORM)
const NOTHING = streamBody('', FORM)

/** A later revision with a further signature field, whose widget covers the whole page. */
function overlay(field: string, more: Bodies = {}): Bodies {
  return {
    1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[20 0 R 30 0 R]/SigFlags 3>>>>',
    10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R 30 0 R]/Contents 11 0 R>>',
    30: `<</FT/Sig/T(Firma9)/Type/Annot/Subtype/Widget/Rect[0 0 300 300]/P 10 0 R${field}>>`,
    31: COVER,
    ...more,
  }
}

const SHOWN = '/F 4/AP<</N 31 0 R>>'
const sealed = (subFilter: string) =>
  `<</Type/Sig/SubFilter/${subFilter}/ByteRange[0 1 2 3]/Contents <0000>>>`

const FALSE: [string, Bodies][] = [
  ['an unsigned field', overlay(SHOWN)],
  ['one that only prints', overlay('/F 36/AP<</N 31 0 R>>')],
  ['one that comes into sight under the pointer', overlay('/F 288/AP<</N 31 0 R>>')],
  ['one with a background', overlay('/F 4/MK<</BG[1]>>')],
  ['a field that borrows the signature of another', overlay(`${SHOWN}/V 21 0 R`)],
  ['the same, without showing anything', overlay('/F 2/V 21 0 R')],
  [
    'the same, with a widget of its own',
    overlay('/V 21 0 R/Kids[33 0 R]', {
      10: overlay('')[10]!.replace('30 0 R', '33 0 R'),
      33: `<</Type/Annot/Subtype/Widget/Rect[0 0 300 300]/P 10 0 R${SHOWN}>>`,
    }),
  ],
  ['an empty signature', overlay(`${SHOWN}/V 32 0 R`, { 32: sealed('ETSI.CAdES.detached') })],
  ['an empty timestamp', overlay(`${SHOWN}/V 32 0 R`, { 32: sealed('ETSI.RFC3161') })],
]

test.each(FALSE)('%s may not cover signed content', async (_, bodies) => {
  const file = appendTable(await handSigned({ seal: sealOf(efirma) }), bodies)
  expect(await verified(file)).toMatchObject({ verdict: 'INVALID' })
})

test.each([
  ['hidden', overlay('/F 2/AP<</N 31 0 R>>')],
  ['without a look', overlay('/F 4')],
  ['with a look that draws nothing', overlay(SHOWN, { 31: NOTHING })],
])('a field that waits for a signature, %s, takes nothing away', async (_, bodies) => {
  const file = appendTable(await handSigned({ seal: sealOf(efirma) }), bodies)
  const report = await verified(file)
  expect([report.verdict, report.first.modification]).toEqual(['VALID', 'FORM_FILLING'])
})
