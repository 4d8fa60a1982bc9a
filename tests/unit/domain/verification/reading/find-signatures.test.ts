import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { type HandSigned, handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

const reference = (method: string) =>
  `/Reference[<</Type/SigRef/TransformMethod/${method}/TransformParams<</P 2/V/1.2>>>>]`

async function foundIn(options: Partial<HandSigned>) {
  const file = await handSigned({ seal: sealOf(efirma), ...options })
  return findSignatures(readDocument(memorySource(file))).signatures
}

const certifying = { entries: reference('DocMDP') }

test.each<[string, Partial<HandSigned>]>([
  ['a timestamp', { subFilter: 'ETSI.RFC3161' }],
  ['a field that waits for a signature', { seal: () => new Uint8Array() }],
  [
    'a signature of which nobody knows what it covers',
    {
      byteRange: ([start, gapStart, gapEnd, tail]) =>
        `[${start} ${gapStart} ${gapEnd} ${tail - 40}]`,
    },
  ],
])('certification: %s certifies nothing', async (_, options) => {
  const [one] = await foundIn({ ...certifying, ...options })
  expect(one).toMatchObject({ dictionary: { references: [{ method: 'DocMDP', level: 2 }] } })
  expect(one?.certification).toBeUndefined()
})

test('certification: a signature that covers the file certifies it', async () => {
  expect(await foundIn(certifying)).toMatchObject([{ certification: { level: 2, isOwn: true } }])
})

/** No field of the form leads to it. */
const STRAY = { form: '/Fields[]' }

test.each<[string, Partial<HandSigned>, number]>([
  ['without a field', { ...STRAY, entries: reference('UR3') }, 0],
  ['of the older kind without a field', { ...STRAY, entries: reference('UR') }, 0],
  ['in a field', { entries: reference('UR3') }, 1],
])('usage rights: %s: %o gives so many signatures: %i', async (_, options, count) => {
  expect(await foundIn(options)).toHaveLength(count)
})

test.each([
  ['another transformation', reference('Identity')],
  ['a name that only begins like it', reference('UR30')],
  ['a name that only ends like it', reference('OUR3')],
  ['a certification', reference('DocMDP')],
  ['no transformation', ''],
])('signature without a field and with %s: is found', async (_, entries) => {
  expect(await foundIn({ ...STRAY, entries })).toHaveLength(1)
})

test.each(['table', 'object stream'] as const)(
  'signatures: a field whose value is written as null in a revision of the style %s hides none',
  async (style) => {
    const signed = await handSigned({ seal: sealOf(efirma) })
    const isHidden = (body: string) =>
      findSignatures(readDocument(memorySource(appendRevision(signed, { 21: body }, { style }))))
        .isHidden
    expect([isHidden('null'), isHidden('(nada)')]).toEqual([false, true])
  },
)

test('signatures: a mistake of ours is not taken for a part of the file that cannot be read', () => {
  const document = new Proxy({} as PdfDocument, {
    get() {
      throw new RangeError('ours')
    },
  })
  expect(() => findSignatures(document)).toThrow(RangeError)
})
