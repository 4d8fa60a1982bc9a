import { describe, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { addValidationData, prepareDocumentStamp } from '#server/domain/signing/long-term.ts'
import { isFinal, mayBeSigned } from '#server/domain/signing/may-be-signed.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

const signed = async (entries: string, field?: string) =>
  await handSigned({ seal: sealOf(await testEfirma()), entries, ...(field && { field }) })

const certification = (level: number) =>
  `/Reference[<</TransformMethod/DocMDP/TransformParams<</P ${level}>>>>]`
const lock = (level: string) => `/V 21 0 R/Lock<</Action/Include/Fields[(Otro)]${level}>>`

describe('refuses to append to a file that is', () => {
  test.each([
    ['certified against any change', certification(1), undefined],
    ['locked against any change', '', lock('/P 1')],
  ])('%s', async (_, entries, field) => {
    const file = memorySource(await signed(entries, field))
    expect([isFinal(readDocument(file)), mayBeSigned(readDocument(file))]).toEqual([true, false])
    const refused = expect.objectContaining({ code: 'signing-forbidden-by-document' })
    const nothing = { certificates: [], ocsp: [], crls: [] }
    expect(() => addValidationData(file, nothing, TEST_NOW)).toThrow(refused)
    expect(() => prepareDocumentStamp(file, 1000)).toThrow(refused)
  })
})

test.each([
  ['only signed', '', undefined],
  ['certified for signatures to come', certification(2), undefined],
  ['locked in another field', '', lock('')],
])('a file that is %s takes proofs', async (_, entries, field) => {
  const file = memorySource(await signed(entries, field))
  expect(isFinal(readDocument(file))).toBe(false)
  expect(prepareDocumentStamp(file, 1000).bytes.length).toBeGreaterThan(1000)
})
