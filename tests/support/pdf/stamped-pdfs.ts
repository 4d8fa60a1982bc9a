import { loadSheetFonts } from '#server/adapters/sheet-fonts.ts'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { concatBytes, memorySource } from '#server/domain/bytes.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import type { SignaturePlan } from '#server/domain/signing/increment.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { TITULAR } from '#tests/support/characters.ts'
import { type Bodies, streamBody } from './pdf-builders.ts'
import { sealOf } from './signed-pdfs.ts'

/* Documents in letter size that arrived signed and get a stamp. */

/** Lines of text over the whole width, from `bottom` to `top`. */
export const lines = (bottom: number, top: number) =>
  Array.from(
    { length: Math.ceil((top - bottom) / 14) },
    (_, index) =>
      `BT /F1 11 Tf 60 ${top - 14 * index} Td (${'Ante la fe del notario '.repeat(4)}) Tj ET`,
  ).join('\n')

/** Half a page. */
export const LINES = lines(400, 720)

/** The bodies of a page for `handSigned`. */
export const STAMPED = {
  bodies: ({
    content = LINES,
    page = '',
    more = {},
  }: {
    content?: string
    page?: string
    more?: object
  }): Bodies => ({
    10: `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]${page.includes('/Resources') ? '' : '/Resources<</Font<</F1 3 0 R>>>>'}${page}/Annots[20 0 R]/Contents 11 0 R>>`,
    11: streamBody(content),
    ...more,
  }),
}

export const STAMPING: SignaturePlan = {
  stamp: {
    folio: '2026-000001',
    publicAddress: {
      url: 'https://rubrica.example.mx/verify/3f0e7f0a-52c4-4b54-9f0e-6d1c92d5a7b1',
      code: 'K7QM-2P9X-TT4R-8ABC',
    },
  },
  caption: {
    name: 'ANA MARÍA MUÑOZ LÓPEZ',
    character: TITULAR,
    rfc: 'MULA800101AB1',
    certificateNumber: '30001000000500000001',
  },
  reason: 'Firma electrónica como Notaria titular',
  at: TEST_NOW,
  contentsSize: 6000,
  zone: 'America/Mexico_City',
}

/** The file with one more signature, stamped where there is a place. */
export async function stamped(
  file: Uint8Array,
  efirma: Efirma,
  plan = STAMPING,
): Promise<Uint8Array> {
  const prepared = prepareIncrement(memorySource(file), plan, loadSheetFonts())
  const { contents } = prepared
  const whole = concatBytes(file, prepared.bytes)
  const seal = await sealOf(efirma)(
    concatBytes(whole.subarray(0, contents.start), whole.subarray(contents.end)),
  )
  return concatBytes(file, completeIncrement(prepared, seal))
}
