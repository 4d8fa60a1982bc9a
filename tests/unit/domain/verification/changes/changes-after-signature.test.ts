import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { type PdfDocument, readDocument } from '#server/domain/pdf/document.ts'
import { PdfError } from '#server/domain/pdf/error.ts'
import { changesAfterSignature } from '#server/domain/verification/changes-after-signature.ts'
import type { FoundSignature } from '#server/domain/verification/find-signatures.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'

const found = {
  coverage: { coverage: 'ENTIRE_REVISION', revision: 0 },
  dictionary: { byteRange: [0, 10, 20, 30], locks: [] },
} as unknown as FoundSignature

/** A file of which no byte can be read, for this reason. */
const failing = (error: Error) => {
  const document = readDocument(memorySource(pdfWithTable(bodiesWithPages(1))))
  const read = () => {
    throw error
  }
  return {
    ...document,
    source: { length: 99, read },
    revisions: [document.revisions[0], document.revisions[0]],
  } as unknown as PdfDocument
}

test('later revisions that cannot be read: may have changed anything', () => {
  const { changes } = changesAfterSignature(failing(new PdfError('damaged', 'x')), found)
  expect(changes).toMatchObject([
    { level: 'OTHER', code: 'later-revisions-unreadable', revision: 2, object: 'trailer' },
  ])
})

test('later revisions: a mistake of ours is not taken for a damaged file', () => {
  expect(() => changesAfterSignature(failing(new RangeError('ours')), found)).toThrow(RangeError)
})
