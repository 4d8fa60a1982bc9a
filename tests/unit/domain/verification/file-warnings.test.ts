import { expect, test } from 'vitest'
import { memorySource } from '#server/domain/bytes.ts'
import { readDocument } from '#server/domain/pdf/document.ts'
import { ambiguitiesOf } from '#server/domain/verification/file-warnings.ts'
import { deedBodies, FREE, layOut } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/** Object streams, and then a table in which the row of what the second page shows leads elsewhere. */
const astray = () =>
  appendRevision(
    layOut(deedBodies(), 'object stream').file,
    { [FREE]: '(nada)' },
    { style: 'table', rows: { 13: [1, 5, 0] } },
  )

test('file warnings: a row that leads elsewhere is found, whatever was read before', () => {
  const document = readDocument(memorySource(astray()))
  expect(document.isRepaired).toBe(false)
  const warnings = ambiguitiesOf(document, { isHidden: false, isAmbiguous: false })
  expect(codesOf(warnings)).toContain('cross-reference-damaged')
})
