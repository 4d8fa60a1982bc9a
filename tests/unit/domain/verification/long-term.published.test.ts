import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { parseInstant } from '#server/domain/time.ts'
import { isSelfSigned } from '#server/domain/trust/issued-by.ts'
import { findSignatures } from '#server/domain/verification/find-signatures.ts'
import { gatherProofs } from '#server/domain/verification/proofs.ts'
import { verifyFile } from '#server/domain/verification/verify-file.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/* Published files that bring their evidence along, where the data for tests is at hand. */
const FOLDER = '../shared/data/signed-pdfs'

/** A policy that trusts the roots in the file and requires revocation information. */
function judged(file: string, at: string) {
  const source = memorySource(new Uint8Array(readFileSync(path.join(FOLDER, file))))
  const document = readDocument(source)
  const anchors = gatherProofs(document, findSignatures(document).signatures)
    .certificates.map(({ certificate }) => certificate)
    .filter(isSelfSigned)
    .map((certificate) => ({
      certificate,
      label: 'Del archivo',
      forTesting: true,
      revocation: 'required' as const,
    }))
  return verifyFile(source, file, { anchors, candidates: [], at: parseInstant(at) })
}

test('a national infrastructure: timestamp, answers and lists of four authorities', () => {
  const report = judged('intact/doc-firmado-LT.pdf', '2019-06-01')
  expect(report.signatures).toMatchObject([
    {
      level: 'B-LT',
      indication: 'TOTAL_PASSED',
      trusted: true,
      provenTime: expect.stringMatching(/^2018-09-15T/),
      timestamps: [{ kind: 'signature', valid: true, trusted: true }],
      revocation: { status: 'good', source: 'embedded' },
    },
  ])
})

test('the same, when the authority of its timestamp has expired and none has kept it', () => {
  const { verdict, signatures } = judged('intact/doc-firmado-LT.pdf', '2026-11-20')
  expect(verdict).toBe('INDETERMINATE')
  expect(signatures[0]).toMatchObject({
    provenTime: null,
    subIndication: 'OUT_OF_BOUNDS_NO_POE',
    timestamps: [{ valid: true, trusted: false }],
  })
})

test('a document timestamp from elsewhere, and one that was copied', () => {
  const copied = judged('bad-timestamp/pades-lta-copied-doctst.pdf', '2024-01-01')
  expect(copied.signatures[0]).toMatchObject({
    level: 'B-LT',
    timestamps: [
      { kind: 'signature', valid: true },
      { kind: 'document', valid: false, trusted: false },
    ],
  })
  const twice = judged('bad-timestamp/pades-t-duplicated-doctst.pdf', '2024-01-01')
  expect(twice.signatures[0]!.timestamps.map(({ valid }) => valid).toSorted()).toEqual([
    false,
    true,
  ])
  expect(codesOf(twice.signatures[0]!.warnings)).toContain('timestamp-copied')
})
