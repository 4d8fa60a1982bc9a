import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { parseInstant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  textOf,
} from '#tests/support/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  sealOf,
  testPolicy,
  verified,
  withTail,
} from '#tests/support/signed-pdfs.ts'
import { testEfirma } from '#tests/support/test-authority.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })

const verdictAndReason = ({ verdict, signatures: [first] }: VerificationReport) => [
  verdict,
  first?.subIndication,
]

test('an honest signature is VALID, and the report says why', async () => {
  const report = await verified(await signed())
  expect(report).toMatchObject({
    file: 'prueba.pdf',
    verdict: 'VALID',
    sentence: 'Documento íntegro y firmado.',
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
    warnings: ['No se comprobó si el certificado fue revocado.'],
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
  test.each([
    ['a plain document', plain],
    ['a document with bytes behind its end', withTail(plain, 'más bytes')],
    [
      'a document without its cross-reference',
      bytesOf(textOf(plain).replace('xref\n0 1', 'xrxx\n0 1')),
    ],
    ['a document cut off', plain.subarray(0, plain.length - 60)],
  ])('%s', async (_, file) => {
    expect(await verified(file)).toMatchObject({ verdict: 'NO_SIGNATURE', pages: 2 })
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

describe('a /ByteRange that is not what it must be', () => {
  test.each<[string, NonNullable<HandSigned['byteRange']>]>([
    ['three numbers', ([a, b, c]) => `[${a} ${b} ${c}]`],
    ['five numbers', (range) => `[${range.join(' ')} 0]`],
    ['two', () => '[0 10]'],
    ['none', () => '[]'],
    ['null', () => 'null'],
    ['no array', () => '(no)'],
    ['names', () => '[/a /b /c /d]'],
    ['negative', ([a, b, c, d]) => `[${a} ${b} ${c} -${d}]`],
    ['fractions', ([a, b, c, d]) => `[${a} ${b}.5 ${c} ${d}]`],
    ['not from 0', ([, b, c, d]) => `[9 ${b - 9} ${c} ${d}]`],
    ['a gap larger than /Contents', ([a, b, c, d]) => `[${a} ${b - 20} ${c} ${d}]`],
    ['a gap that ends late', ([a, b, c, d]) => `[${a} ${b} ${c + 20} ${d - 20}]`],
    ['a gap without the brackets', ([a, b, c, d]) => `[${a} ${b + 1} ${c - 1} ${d + 1}]`],
    ['a gap that runs backwards', ([a, b, c, d]) => `[${a} ${c} ${b} ${d}]`],
    ['an end before the end', ([a, b, c, d]) => `[${a} ${b} ${c} ${d - 40}]`],
    ['an end beyond the file', ([a, b, c, d]) => `[${a} ${b} ${c} ${d + 1}]`],
    ['an end beyond all files', ([a, b, c]) => `[${a} ${b} ${c} 9007199254740993]`],
  ])('%s', async (_, byteRange) => {
    const report = await verified(await signed({ byteRange }))
    expect(verdictAndReason(report)).toEqual(['INVALID', 'FORMAT_FAILURE'])
    expect(report.first.coverage).toBe('UNCLEAR')
  })

  test('a gap of another signature', async () => {
    const other = await signed({
      bodies: {
        22: '<</Type/Sig/SubFilter/ETSI.CAdES.detached/ByteRange[0 1 2 3]/Contents <30>>>',
      },
    })
    const report = await verified(other)
    expect(report.verdict).toBe('INVALID')
    expect(report.signatures.map(({ coverage }) => coverage)).toEqual(['ENTIRE_FILE', 'UNCLEAR'])
  })

  test('an object that hides among the digits of /Contents', async () => {
    const contents = (text: string) => `${text.slice(0, -40)}99 0 obj null endobj${'0'.repeat(19)}>`
    expect(verdictAndReason(await verified(await signed({ contents })))).toEqual([
      'INVALID',
      'FORMAT_FAILURE',
    ])
  })
})

describe('a /Contents that is not what it must be', () => {
  test.each<[string, NonNullable<HandSigned['contents']>]>([
    ['empty', () => '<>'],
    ['null', () => 'null'],
    ['a number', () => '0'],
    ['a literal string', () => '(firma)'],
    ['no CMS', (text) => text.replace(/^<.{8}/, '<ffffffff')],
    ['cut off', (text) => `${text.slice(0, 400)}${'0'.repeat(text.length - 401)}>`],
  ])('%s', async (_, contents) => {
    const report = await verified(await signed({ contents }))
    expect(verdictAndReason(report)).toEqual(['INVALID', 'FORMAT_FAILURE'])
    expect(report.first.intact && report.first.valid).toBe(false)
  })

  test('missing', async () => {
    const file = textOf(await signed()).replace('/Contents <', '/Contenta <')
    expect((await verified(bytesOf(file))).verdict).toBe('INVALID')
  })

  test('something behind the CMS is no proof, and said', async () => {
    const contents = (text: string) => `${text.slice(0, -9)}01234567>`
    const report = await verified(await signed({ contents }))
    expect(report).toMatchObject({ verdict: 'INDETERMINATE', first: { intact: true, valid: true } })
    expect(report.first.warnings[0]).toBe('Detrás de la firma hay datos ajenos a ella.')
  })
})

describe('where a signature stands', () => {
  test('out of reach of the form', async () => {
    const report = await verified(await signed({ form: '/Fields[]' }))
    expect(report.verdict).toBe('INDETERMINATE')
    expect(report.first.warnings[0]).toBe(
      'La firma no pertenece a ningún campo del formulario del documento.',
    )
  })

  test('usage rights of an editor are nobody’s signature', async () => {
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
    expect(report.warnings).toEqual(['Delante del documento hay datos que no pertenecen a él.'])
  })

  test.each([
    ['line ends', '\r\n\n', 'VALID'],
    ['a few bytes', 'gracias', 'INDETERMINATE'],
    ['a comment', '\n% nota\n', 'INDETERMINATE'],
    ['an object that nobody refers to', '\n99 0 obj null endobj\n', 'INDETERMINATE'],
    ['some blanks', ' '.repeat(3000), 'VALID'],
  ])('behind the end: %s', async (_, tail, verdict) => {
    expect((await verified(withTail(await signed(), tail))).verdict).toBe(verdict)
  })

  test('a cross-reference of no use', async () => {
    const file = await signed({
      bodies: { 1: '<</Type/Catalog/Pages 2 0 R/AcroForm<</Fields[20 0 R]>>>>' },
    })
    const report = await verified(bytesOf(textOf(file).replace('startxref\n', 'startxrxx\n')))
    expect(report.verdict).not.toBe('VALID')
  })

  test('a signature that nobody can read is not taken for none', async () => {
    const file = textOf(await signed()).replace('\n21 0 obj\n<<', '\n21 0 obj\n]<')
    expect((await verified(bytesOf(file))).verdict).toBe('INDETERMINATE')
  })
})

describe('what came after a signature', () => {
  const annotate = (file: Uint8Array) =>
    appendTable(file, {
      10: '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 300]/Resources<</Font<</F1 3 0 R>>>>/Annots[20 0 R 30 0 R]/Contents 11 0 R>>',
      30: '<</Type/Annot/Subtype/Text/Rect[10 10 30 30]/Contents(nota)>>',
    })
  const addNothing = (file: Uint8Array) => appendTable(file, { 40: '(nadie lo mira)' })
  const replacePage = (file: Uint8Array) =>
    appendTable(file, { 11: '<</Length 4>>\nstream\nq Q \nendstream' })
  const certified = (level: number) =>
    `/Reference[<</Type/SigRef/TransformMethod/DocMDP/TransformParams<</Type/TransformParams/P ${level}/V/1.2>>>>]`

  test.each([
    ['nothing that is seen', addNothing, '', 'VALID'],
    ['another page content', replacePage, '', 'INVALID'],
    ['nothing, certified 1', addNothing, certified(1), 'VALID'],
    ['another page content, certified 3', replacePage, certified(3), 'INVALID'],
    ['a note, certified 1', annotate, certified(1), 'INVALID'],
    ['a note, certified 2', annotate, certified(2), 'INVALID'],
  ])('%s', async (_, change, entries, verdict) => {
    const report = await verified(change(await signed({ entries })))
    expect(report.verdict).toBe(verdict)
    expect(report.first.coverage).toBe('ENTIRE_REVISION')
  })

  test('a note is no forgery, and only a certification for notes makes it VALID', async () => {
    const free = await verified(annotate(await signed()))
    expect(free.verdict).not.toBe('VALID')
    const allowed = await verified(annotate(await signed({ entries: certified(3) })))
    expect(allowed.first.docMdp?.level).toBe(3)
  })

  test('of two certifications the stricter one counts', async () => {
    const entries = `${certified(3).slice(0, -1)}${certified(1).slice('/Reference['.length)}`
    const report = await verified(annotate(await signed({ entries })))
    expect(report.verdict).toBe('INVALID')
  })

  test('a revision that leaves the signed one out', async () => {
    const forged = appendTable(await signed(), { 1: '<</Type/Catalog/Pages 2 0 R>>' })
    expect((await verified(forged)).verdict).toBe('INVALID')
  })
})

describe('whom we trust, and when', () => {
  const day = (text: string) => parseInstant(text)

  test.each([
    [
      'revocation unknown where it is required',
      {},
      { revocation: 'required' as const },
      'TRY_LATER',
      true,
    ],
    ['expired since', {}, { at: day('2029-01-01') }, 'OUT_OF_BOUNDS_NO_POE', true],
    [
      'expired, and no time is claimed',
      { time: '' },
      { at: day('2029-01-01') },
      'OUT_OF_BOUNDS_NO_POE',
      false,
    ],
    [
      'not yet valid when we are asked',
      {},
      { at: day('2024-03-01') },
      'OUT_OF_BOUNDS_NO_POE',
      false,
    ],
    [
      'claimed before it was valid',
      { time: 'D:20240301000000Z' },
      {},
      'OUT_OF_BOUNDS_NO_POE',
      false,
    ],
    ['claimed after it expired', { time: 'D:20300301000000Z' }, {}, 'OUT_OF_BOUNDS_NO_POE', false],
  ])('%s', async (_, options, policy, reason, isTrusted) => {
    const report = await verified(await signed(options), await testPolicy(policy))
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', reason])
    expect(report.first).toMatchObject({ intact: true, valid: true, trusted: isTrusted })
    expect(report.first.warnings.length).toBeGreaterThan(0)
  })

  test('a certificate that is not yet valid is not said to have expired', async () => {
    const report = await verified(await signed(), await testPolicy({ at: day('2024-03-01') }))
    expect(report.first.warnings[0]).toBe('El certificado empieza a valer el 31 may 2024.')
  })

  test('a time in the future is said', async () => {
    const report = await verified(await signed({ time: 'D:20261121150000Z' }))
    expect(report.first.warnings).toContain('La fecha que declara la firma está en el futuro.')
  })

  test('no path', async () => {
    const policy = { ...(await testPolicy()), anchors: [] }
    const report = await verified(await signed(), policy)
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', 'NO_CERTIFICATE_CHAIN_FOUND'])
    expect(report.first).toMatchObject({ intact: true, valid: true, trusted: false })
  })

  test('a CSD is no e.firma', async () => {
    const csd = await testEfirma({ kind: 'csd', branch: 'Matriz' })
    const report = await verified(await signed({ seal: sealOf(csd) }))
    expect(verdictAndReason(report)).toEqual(['INDETERMINATE', 'SIG_CONSTRAINTS_FAILURE'])
  })
})
