import { beforeAll, expect, test } from 'vitest'
import type { Efirma } from '#server/demo/certification-authority.ts'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { readSignatures } from '#server/domain/verification/read-signatures.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { withDocumentStamp } from '#tests/support/pdf/long-term-pdfs.ts'
import { appendTable } from '#tests/support/pdf/pdf-builders.ts'
import { type HandSigned, handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

let efirma: Efirma
beforeAll(async () => {
  efirma = await testEfirma()
}, 60_000)

async function readIn(options: Partial<HandSigned> = {}) {
  const file = await handSigned({ seal: sealOf(efirma), ...options })
  const document = readDocument(memorySource(file))
  const [one] = readSignatures(document, findSignatures(document).signatures).evidence
  return { file, one: one! }
}

test('signature: its range is digested, and its bytes are those around the gap', async () => {
  const { file, one } = await readIn()
  const [, gapStart, gapEnd] = one.coverage.byteRange!
  expect(one.rangeDigest).toHaveLength(32)
  expect(Buffer.from(one.rangeBytes!())).toEqual(
    Buffer.concat([file.subarray(0, gapStart), file.subarray(gapEnd)]),
  )
})

test.each<[string, Partial<HandSigned>]>([
  ['without a range', { byteRange: () => 'null' }],
  ['with a range that is impossible', { byteRange: () => '[0 20 10 5]' }],
  ['that cannot be read', { seal: () => Uint8Array.of(0x30, 3, 2, 1, 1) }],
])('signature %s: nothing is digested for it', async (_, options) => {
  const { one } = await readIn(options)
  expect(one).not.toHaveProperty('rangeDigest')
  expect(one).not.toHaveProperty('rangeBytes')
})

test('signature: a later trailer that says two things does not make two documents of what was signed', async () => {
  const signed = await handSigned({ seal: sealOf(efirma) })
  const twofold = appendTable(signed, {}, { trailer: '/Root 99 0 R/Root 1 0 R' })
  const isTwofold = (file: Uint8Array) => {
    const document = readDocument(memorySource(file))
    const { evidence } = readSignatures(document, findSignatures(document).signatures)
    return evidence.map((one) => one.isTwofold)
  }
  expect(isTwofold(twofold)).toEqual([false])
  expect(isTwofold(withDocumentStamp(twofold, () => Uint8Array.of(0x30, 0)))).toEqual([false, true])
})
