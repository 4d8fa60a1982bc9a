import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { materialIn } from '#server/domain/verification/evidence-package/material.ts'
import { TEST_NOW, testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import {
  answerAbout,
  sealWithStamps,
  withValidationData,
} from '#tests/support/pdf/long-term-pdfs.ts'
import { handSigned } from '#tests/support/pdf/signed-pdfs.ts'

test('parts of a signature: each has its bytes alone, as it goes from one thread to another', async () => {
  const efirma = await testEfirma()
  const by = await stampingAuthority()
  const seal = sealWithStamps(efirma, (signature) => [stampOver(signature, { by, time: TEST_NOW })])
  const { issuing } = await testAuthority()
  const file = withValidationData(await handSigned({ seal }), {
    certificates: [issuing],
    ocsp: [await answerAbout(efirma.certificate, TEST_NOW)],
  })
  const { signatures, certificates, ocsp } = materialIn(readDocument(memorySource(file)))
  const { cms, signatureValue, signer, timestamps } = signatures[0]!
  const parts = [cms, signatureValue, signer!, ...timestamps, ...certificates, ...ocsp]
  expect(timestamps).toHaveLength(1)
  expect(parts.map(({ buffer }) => buffer.byteLength)).toEqual(parts.map(({ length }) => length))
}, 60_000)
