import { beforeAll, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { textOf } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf, testPolicy } from '#tests/support/pdf/signed-pdfs.ts'

let file: Uint8Array
let policy: VerificationPolicy
let contents: { start: number; end: number }
/** The offset at which the CMS ends and the padding begins. */
let cmsEnd: number

beforeAll(async () => {
  file = await handSigned({ seal: sealOf(await testEfirma()) })
  policy = await testPolicy()
  const text = textOf(file)
  const start = text.indexOf('/Contents <', text.indexOf('/ByteRange')) + 10
  contents = { start, end: text.indexOf('>', start) + 1 }
  cmsEnd = start + 1 + text.slice(start + 1, contents.end - 1).replace(/0+$/, '').length
})

function flipped(at: number, mask: number): VerificationReport {
  const copy = file.slice()
  copy[at]! ^= mask
  return verifyFile(memorySource(copy), '', policy)
}

/** Every bit by itself, and all of them. */
const MASKS = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xff]

/* One test a mask: each has its own time, and a slow machine does not run out of it for all of them together. */
test.each(MASKS)(
  'every signed byte flipped by %i is found',
  {
    timeout: 60_000,
  },
  (mask) => {
    const overlooked: number[] = []
    for (let at = 0; at < file.length; at++) {
      if (contents.start <= at && at < contents.end) continue
      if (isGood(flipped(at, mask))) overlooked.push(at)
    }
    expect(overlooked).toEqual([])
  },
)

/** Verdicts that are wrong for a file with a changed signed byte: valid, and unsigned. */
const isGood = ({ verdict, signatures }: VerificationReport) =>
  verdict === 'VALID' ||
  verdict === 'NO_SIGNATURE' ||
  signatures.some(({ intact, coverage }) => intact && coverage !== 'UNCLEAR')

test('brackets and every digit that is no padding count, or change nothing', {
  timeout: 60_000,
}, () => {
  for (const at of [contents.start, contents.end - 1])
    for (const mask of MASKS) expect(flipped(at, mask).verdict, `${at}`).not.toBe('VALID')
  // Padding: one digit that is not zero any more.
  for (const at of [cmsEnd + 2, contents.end - 2])
    expect(flipped(at, 0x01).verdict, `${at}`).toBe('INDETERMINATE')
  // A byte that is no digit leaves the others where they were not.
  for (const at of [contents.start + 1, cmsEnd - 1, contents.end - 2])
    expect(flipped(at, 0x80).verdict, `${at}`).not.toBe('VALID')
})

test('a flipped digit of the signature value or of the signed attributes is found', () => {
  // The signature value is the last thing in the CMS: 256 bytes.
  for (let at = cmsEnd - 512; at < cmsEnd; at++) {
    const { verdict, signatures } = flipped(at, hexNeighbour(file[at]!))
    expect(verdict, `${at}`).toBe('INVALID')
    expect(signatures[0]!.valid, `${at}`).toBe(false)
  }
})

/** The mask that makes another digit of this one. */
function hexNeighbour(digit: number): number {
  const value = Number.parseInt(String.fromCharCode(digit), 16)
  return digit ^ (value ^ 1).toString(16).charCodeAt(0)
}
