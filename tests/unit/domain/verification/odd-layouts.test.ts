import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import {
  sealedLater,
  waitingBodies,
  waitingForSignature,
} from '#tests/support/office/waiting-signatures.ts'
import {
  bytesOf,
  pdfHybrid,
  pdfLinearizedLike,
  pdfWithObjectStream,
  pdfWithTable,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { sealOf, verified } from '#tests/support/pdf/signed-pdfs.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'
import { mutool, onDisk, rewritten } from '#tests/unit/domain/pdf/variants.ts'

/* Files as odd as producers write them, signed: what other programs call valid is VALID. */

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const plain = () => textOf(waitingForSignature())

/** The same file with other line ends, and its offsets right again. */
function withLineEnds(end: string, rowEnd = ` ${end}`.slice(-2)): Uint8Array {
  let text = `%PDF-1.7${end}`
  const offsets = new Map<number, number>()
  for (const [number, body] of Object.entries(waitingBodies())) {
    offsets.set(Number(number), text.length)
    const lines = body.replace(/\n/g, end)
    text += `${number} 0 obj${end}${lines}${end}endobj${end}`
  }
  const rows = [...offsets].map(
    ([number, offset]) => `${number} 1${end}${String(offset).padStart(10, '0')} 00000 n${rowEnd}`,
  )
  const table = `xref${end}0 1${end}0000000000 65535 f${rowEnd}${rows.join('')}`
  return bytesOf(
    `${text}${table}trailer${end}<</Size 30/Root 1 0 R/Info 4 0 R>>${end}startxref${end}${text.length}${end}%%EOF${end}`,
  )
}

const shiftRows = (text: string, by: number) =>
  text.replace(
    /(\d{10})( 00000 n)/g,
    (_, offset, rest) => `${String(Number(offset) + by).padStart(10, '0')}${rest}`,
  )

/** Whether our reader had to look for something. */
const LAYOUTS: [string, () => Uint8Array, 'as it is' | 'repaired'][] = [
  ['CR alone', () => withLineEnds('\r'), 'as it is'],
  ['CR LF', () => withLineEnds('\r\n'), 'as it is'],
  ['rows of 19 bytes', () => withLineEnds('\n', '\n'), 'as it is'],
  [
    'qpdf, object streams',
    () => rewritten(waitingForSignature(), '--object-streams=generate'),
    'as it is',
  ],
  ['a hybrid', () => pdfHybrid(waitingBodies()), 'as it is'],
  ['two sections', () => pdfLinearizedLike(waitingBodies()), 'as it is'],
  ['qpdf, linearized', () => rewritten(waitingForSignature(), '--linearize'), 'as it is'],
  [
    'qpdf, linearized, with object streams',
    () => rewritten(waitingForSignature(), '--linearize', '--object-streams=generate'),
    'as it is',
  ],
  [
    'junk before the header',
    () => pdfWithTable(waitingBodies(), { junk: 'HTTP/1.1 200 OK\r\n\r\n' }),
    'as it is',
  ],
  [
    'no line end after the last marker',
    () => pdfWithTable(waitingBodies(), { lastLineEnd: '' }),
    'as it is',
  ],
  ['offsets one byte early', () => bytesOf(shiftRows(plain(), -1)), 'as it is'],
  ['offsets one byte late', () => bytesOf(shiftRows(plain(), 1)), 'repaired'],
  [
    'a startxref that is three bytes off',
    () => bytesOf(plain().replace(/startxref\n(\d+)/, (_, at) => `startxref\n${Number(at) - 3}`)),
    'repaired',
  ],
  [
    'a length that lies',
    () => bytesOf(plain().replace('/Length 43', '/Length 99').replace('/Length 42', '/Length 99')),
    'as it is',
  ],
]

test.each(LAYOUTS)('%s', async (_, layout, state) => {
  const file = await sealedLater(layout(), sealOf(efirma))
  const report = await verified(file)
  expect(report).toMatchObject({
    verdict: 'VALID',
    pages: 1,
    first: { intact: true, coverage: 'ENTIRE_FILE', modification: 'NONE' },
  })
  expect(codesOf(report.warnings).includes('references-corrected')).toBe(state === 'repaired')
  const onDiskAs = onDisk(file)
  expect(judge('pdfsig')('-nocert', onDiskAs).output).toContain('Signature is Valid.')
  expect(mutool('draw', '-F', 'txt', onDiskAs, '1').output).toContain('Page 1')
})

// A free list that begins with object 1: mutool does not mend it, pdfsig does.
test('a table that begins with 1', async () => {
  const file = await sealedLater(
    bytesOf(plain().replace('xref\n0 1\n', 'xref\n1 1\n')),
    sealOf(efirma),
  )
  expect(await verified(file)).toMatchObject({ verdict: 'VALID', warnings: [] })
  expect(judge('pdfsig')('-nocert', onDisk(file)).output).toContain('Signature is Valid.')
})

// ISO 32000-2:2020, 7.5.7 and 12.8.1: its content has no defined place in the file.
test('a signature inside an object stream', async () => {
  const file = await sealedLater(pdfWithObjectStream(waitingBodies()), sealOf(efirma))
  expect(await verified(file)).toMatchObject({ verdict: 'INVALID', first: { coverage: 'UNCLEAR' } })
})
