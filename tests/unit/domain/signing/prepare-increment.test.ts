import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { concatBytes, equalBytes, memorySource } from '#server/domain/bytes.ts'
import { completeIncrement } from '#server/domain/signing/complete-increment.ts'
import type { SignaturePlan } from '#server/domain/signing/increment.ts'
import { prepareIncrement } from '#server/domain/signing/prepare-increment.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'
import { TITULAR } from '#tests/support/characters.ts'
import {
  appendTable,
  bodiesWithPages,
  bytesOf,
  pdfWithTable,
  textOf,
} from '#tests/support/pdf/pdf-builders.ts'
import { onDisk, qpdf, rewritten, VARIANTS } from '#tests/unit/domain/pdf/variants.ts'
import { sheetFonts } from './sheet-fonts.ts'

const plan: SignaturePlan = {
  caption: {
    name: 'ANA MARÍA MUÑOZ LÓPEZ',
    character: TITULAR,
    rfc: 'MULA800101AB1',
    certificateNumber: '30001000000500000001',
  },
  reason: 'Firma',
  at: TEST_NOW,
  contentsSize: 4096,
  zone: 'America/Mexico_City',
}
const sheet = {
  folio: '2026-000001',
  kind: 'Copia certificada',
  title: 'Escritura',
  office: 'Notaría 12',
  publicAddress: { url: 'https://rubrica.example/verify/1', code: 'ABCD-EFGH' },
  originalSha256: '0'.repeat(64),
  isDemo: false,
}

const prepare = async (file: Uint8Array, changes: Partial<SignaturePlan> = {}) =>
  prepareIncrement(memorySource(file), { ...plan, ...changes }, sheetFonts)
const plain = pdfWithTable(bodiesWithPages(2))

describe.each(Object.keys(VARIANTS))('%s', (name) => {
  const file = VARIANTS[name]!()

  test.each([
    ['without a sheet', {}],
    ['with a sheet', { sheet }],
  ])('%s: the digest is over all but /Contents', async (_, changes) => {
    const prepared = await prepare(file, changes)
    const whole = concatBytes(file, prepared.bytes)
    const [start, length, tail, tailLength] = prepared.byteRange
    expect([start, tail + tailLength]).toEqual([0, whole.length])
    expect([length, tail]).toEqual([prepared.contents.start, prepared.contents.end])
    expect(textOf(whole.subarray(length, tail))).toMatch(/^<0{8192}>$/)
    const signed = concatBytes(whole.subarray(0, length), whole.subarray(tail))
    expect(Buffer.from(prepared.digest).toString('hex')).toBe(
      createHash('sha256').update(signed).digest('hex'),
    )
    expect(prepared).toMatchObject({ baseLength: file.length, fieldName: 'Firma1' })
    expect(qpdf('--check', onDisk(whole)).status).toBe(0)
  })
})

test('the same plan gives the same bytes', async () => {
  const [one, two] = [await prepare(plain, { sheet }), await prepare(plain, { sheet })]
  expect(equalBytes(one.bytes, two.bytes)).toBe(true)
})

describe('refuses', () => {
  const certified = (level: number) =>
    appendTable(pdfWithTable(bodiesWithPages(1, '/Perms<</DocMDP 30 0 R>>')), {
      30: `<</Type/Sig/ByteRange[0 0 0 0]/Contents <00>/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]>>`,
    })

  test.each([
    ['certified against any change', certified(1), 'signing-forbidden-by-document'],
    [
      'without a cross-reference',
      bytesOf(textOf(plain).replaceAll('startxref', 'startnowhere')),
      'damaged-pdf',
    ],
    ['without a page', pdfWithTable(bodiesWithPages(0)), 'damaged-pdf'],
    ['encrypted', rewritten(plain, '--encrypt', 'a', 'b', '256', '--'), 'encrypted'],
    ['no PDF', bytesOf('Escritura'), 'not-a-pdf'],
    ['empty', new Uint8Array(), 'not-a-pdf'],
  ])('%s', async (_, file, code) => {
    await expect(prepare(file)).rejects.toMatchObject({ code })
  })

  test.each([2, 3])('certified for forms, level %i, is signed', async (level) => {
    expect((await prepare(certified(level))).fieldName).toBe('Firma1')
  })
})

describe('the second half', () => {
  test('writes the CMS into /Contents and nothing else', async () => {
    const prepared = await prepare(plain)
    const cms = Uint8Array.from({ length: 100 }, (_, index) => index + 100)
    const bytes = completeIncrement(prepared, cms)
    const start = prepared.contents.start - prepared.baseLength + 1
    expect(textOf(bytes.subarray(start, start + 202))).toBe(
      `${Buffer.from(cms).toString('hex').toUpperCase()}00`,
    )
    const restored = bytes.slice()
    restored.fill(0x30, start, start + 200)
    expect(equalBytes(restored, prepared.bytes)).toBe(true)
  })

  test('fills the room to the last byte, and not beyond', async () => {
    const prepared = await prepare(plain)
    expect(() => completeIncrement(prepared, new Uint8Array(4096))).not.toThrow()
    expect(() => completeIncrement(prepared, new Uint8Array(4097))).toThrow(RangeError)
  })
})
