import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import {
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  streamBody,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  sealOf,
  verified,
  withTail,
} from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })

test('an honest signature is VALID, and the report says why', async () => {
  const report = await verified(await signed())
  expect(report).toMatchObject({
    file: 'prueba.pdf',
    verdict: 'VALID',
    headline: { code: 'signed-and-intact', parameters: {} },
    pages: 1,
    encrypted: false,
    warnings: [],
  })
  expect(report.signatures).toHaveLength(1)
  expect(report.first).toMatchObject({
    field: 'Firma1',
    kind: 'signature',
    level: 'B-B',
    indication: 'TOTAL_PASSED',
    subIndication: null,
    intact: true,
    valid: true,
    trusted: true,
    forTesting: true,
    coverage: 'ENTIRE_FILE',
    modification: 'NONE',
    signer: { name: 'ANA MARÍA MUÑOZ LÓPEZ', rfc: 'MULA800101AB1', kind: 'efirma-natural' },
    claimedTime: '2026-11-20T15:00:00.000Z',
    provenTime: null,
    algorithms: { digest: 'sha256', signature: 'RSASSA-PKCS1-v1_5 2048' },
    warnings: [{ code: 'revocation-not-checked', parameters: {} }],
  })
})

describe('no signature at all', () => {
  test.each([
    ['an empty file', '', 'NOT_A_PDF'],
    ['a text', 'Escritura pública', 'NOT_A_PDF'],
    ['a header alone', '%PDF-1.7\n', 'NOT_A_PDF'],
  ])('%s', async (_, text, verdict) => {
    expect(await verified(bytesOf(text))).toMatchObject({ verdict, signatures: [] })
  })

  const plain = pdfWithTable(bodiesWithPages(2))
  test('a plain document', async () => {
    expect(await verified(plain)).toMatchObject({ verdict: 'NO_SIGNATURE', pages: 2 })
    expect(await verified(withTail(plain, '\r\n\n'))).toMatchObject({ verdict: 'NO_SIGNATURE' })
  })

  test('a document that was cut off is said to be damaged', async () => {
    expect(await verified(plain.subarray(0, plain.length - 3))).toMatchObject({
      verdict: 'INDETERMINATE',
      headline: { code: 'damaged-maybe-signed' },
    })
  })

  test('a field that waits for a signature, without and with room for it', async () => {
    const form = '/AcroForm<</Fields[20 0 R]>>'
    const field = '<</FT/Sig/T(Firma1)/Type/Annot/Subtype/Widget/Rect[0 0 0 0]>>'
    const waiting = pdfWithTable({ ...bodiesWithPages(1, form), 20: field })
    expect(await verified(waiting)).toMatchObject({ verdict: 'NO_SIGNATURE', signatures: [] })
    const room = await verified(await signed({ seal: () => new Uint8Array() }))
    expect(room.verdict).toBe('NO_SIGNATURE')
    expect(room.first).toMatchObject({ intact: false, valid: false, indication: 'TOTAL_FAILED' })
  })
})

describe('coverage of a signature', () => {
  test('out of reach of the form', async () => {
    const report = await verified(await signed({ form: '/Fields[]' }))
    expect(report.verdict).toBe('INDETERMINATE')
    expect(report.first.warnings[0]?.code).toBe('signature-without-field')
  })

  test('usage rights signature of an editor: is not counted', async () => {
    const entries = '/Reference[<</TransformMethod/UR3/TransformParams<<>>>>]'
    expect(await verified(await signed({ form: '/Fields[]', entries }))).toMatchObject({
      verdict: 'NO_SIGNATURE',
      signatures: [],
    })
  })

  test('a key that is written twice', async () => {
    const report = await verified(await signed({ entries: '/Contents <00>' }))
    expect(report.verdict).not.toBe('VALID')
  })

  test('bytes before the header are said', async () => {
    const report = await verified(await signed({ junk: 'HTTP/1.1 200\r\n\r\n' }))
    expect(report).toMatchObject({ verdict: 'VALID' })
    expect(codesOf(report.warnings)).toEqual(['data-before-document'])
  })

  test.each([
    ['line ends', '\r\n\n', 'VALID'],
    ['a few bytes', 'gracias', 'INDETERMINATE'],
    ['a comment', '\n% nota\n', 'INDETERMINATE'],
    ['an object that no cross-reference knows', '\n99 0 obj null endobj\n', 'INVALID'],
    ['some blanks', ' '.repeat(3000), 'VALID'],
  ])('after the end: %s', async (_, tail, verdict) => {
    expect((await verified(withTail(await signed(), tail))).verdict).toBe(verdict)
  })

  test('a cross-reference of no use', async () => {
    const file = await signed({
      bodies: { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[20 0 R]>>>>' },
    })
    const report = await verified(bytesOf(textOf(file).replace('startxref\n', 'startxrxx\n')))
    expect(report.verdict).not.toBe('VALID')
  })

  test('unreadable signature: is never reported as missing', async () => {
    const file = textOf(await signed()).replace('\n21 0 obj\n<<', '\n21 0 obj\n]<')
    expect((await verified(bytesOf(file))).verdict).toBe('INDETERMINATE')
  })
})

describe('a timestamp that proves nothing, beside a good signature', () => {
  const STAMP =
    '<</Type/Sig/Filter/Adobe.PPKLite/SubFilter/ETSI.RFC3161/ByteRange[0 1 2 3]/Contents<3003020101>>>'
  const PAGE =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R 31 0 R 32 0 R]/Contents 11 0 R>>'
  const widget = (rectangle: string) =>
    `<</Type/Annot/Subtype/Widget/Parent 30 0 R/Rect[${rectangle}]/F 4/AP<</N 33 0 R>>>>`
  const field = (kids: string) => `<</FT/Sig/T(Sello1)/V 22 0 R/Kids[${kids}]>>`
  const look = streamBody('0 0 50 50 re f', '/Type/XObject/Subtype/Form/BBox[0 0 50 50]')
  const [unseen, seen] = [widget('0 0 0 0'), widget('0 0 50 50')]

  test.each([
    ['without a field', '', 'VALID'],
    ['in a field without a place', field(''), 'VALID'],
    ['in a field that is not seen', field('31 0 R'), 'VALID'],
    ['in a field that is seen in one place of two', field('31 0 R 32 0 R'), 'INVALID'],
  ])('%s', async (_, written, verdict) => {
    const bodies = { 10: PAGE, 22: STAMP, 31: unseen, 32: seen, 33: look }
    const form = `/Fields[20 0 R${written && ' 30 0 R'}]/SigFlags 3`
    const file = await signed({ form, bodies: written ? { ...bodies, 30: written } : bodies })
    const report = await verified(file)
    expect(report.signatures.map(({ kind, indication }) => [kind, indication])).toEqual([
      ['signature', 'TOTAL_PASSED'],
      ['document-timestamp', 'TOTAL_FAILED'],
    ])
    expect(report.verdict).toBe(verdict)
  })
})
