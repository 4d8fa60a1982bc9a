import { beforeAll, expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { strictnessOf } from '#server/domain/verification/strict-after.ts'
import { appendRevision, type RevisionOptions } from '#tests/attacks/revision.ts'
import { testEfirma } from '#tests/support/authorities/test-authority.ts'
import { bodiesWithPages } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'

let signed: Uint8Array
beforeAll(async () => {
  signed = await handSigned({ seal: sealOf(await testEfirma()), bodies: { 50: '(nada)' } })
}, 60_000)

function strictnessAfter(options: RevisionOptions) {
  const file = appendRevision(signed, { 60: '(nada)' }, options)
  const document = readDocument(memorySource(file))
  for (const number of document.objectNumbers) document.object(number)
  return { document, strictness: strictnessOf(document, findSignatures(document).signatures) }
}

test('readers: may see two documents if a later row leads an object of the document elsewhere', () => {
  const content = strictnessAfter({ rows: { 11: [1, 5, 0] } })
  expect([...content.document.misplaced]).toEqual([11])
  expect(content.strictness.isAmbiguous).toBe(true)
})

test.each<[string, RevisionOptions, number[]]>([
  ['no row leads elsewhere', {}, []],
  ['one does to which nothing leads', { rows: { 50: [1, 5, 0] } }, [50]],
])('readers: see one document if %s', (_, options, misplaced) => {
  const { document, strictness } = strictnessAfter(options)
  expect(bodiesWithPages(1)).not.toHaveProperty('50')
  expect([...document.misplaced]).toEqual(misplaced)
  expect(strictness).toMatchObject({ isAmbiguous: false, contradictions: [] })
})
