import { beforeAll, describe, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { bytesOf, textOf } from '#tests/support/pdf/pdf-builders.ts'
import {
  type HandSigned,
  handSigned,
  type Seal,
  sealOf,
  verdictAndReason,
  verified,
} from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
})

const signed = (options: Partial<HandSigned> = {}) =>
  handSigned({ seal: sealOf(efirma), ...options })

describe('a malformed /ByteRange', () => {
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

describe('a malformed /Contents', () => {
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

  test('complete but malformed: it never covered a signature', async () => {
    // The serial number of the signer's certificate, begun with an octet that says nothing.
    const seal: Seal = async (signed) => {
      const cms = Buffer.from(await sealOf(efirma)(signed))
      const at = cms.lastIndexOf(Buffer.from(efirma.certificate.serial, 'hex'))
      cms.set([0, 1], at)
      return cms
    }
    const report = await verified(await handSigned({ seal }))
    expect(report).toMatchObject({
      verdict: 'NO_SIGNATURE',
      first: { indication: 'TOTAL_FAILED', subIndication: 'FORMAT_FAILURE', valid: false },
    })
    expect(report.first.warnings[0]?.code).toBe('cms-misencoded')
  })

  test('missing', async () => {
    const file = textOf(await signed()).replace('/Contents <', '/Contenta <')
    expect((await verified(bytesOf(file))).verdict).toBe('INVALID')
  })

  test('something after the CMS is no proof, and said', async () => {
    const contents = (text: string) => `${text.slice(0, -9)}01234567>`
    const report = await verified(await signed({ contents }))
    expect(report).toMatchObject({ verdict: 'INDETERMINATE', first: { intact: true, valid: true } })
    expect(report.first.warnings[0]?.code).toBe('data-after-signature')
  })
})
