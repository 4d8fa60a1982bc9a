import { expect, test } from 'vitest'
import type { Indication } from '#server/domain/verification/report.ts'
import { verdictOf } from '#server/domain/verification/verdict.ts'
import { aSignatureReport } from '#tests/support/pdf/verification-reports.ts'

const verdict = (...indications: Indication[]) =>
  verdictOf(
    indications.map((indication) => aSignatureReport({ indication })),
    { isAmbiguous: false, isHidden: false },
  )

test('verdict: is the worst of the signatures, in whatever order they stand', () => {
  expect(verdict('TOTAL_PASSED', 'TOTAL_PASSED')).toBe('VALID')
  expect(verdict('TOTAL_PASSED', 'INDETERMINATE')).toBe('INDETERMINATE')
  expect(verdict('INDETERMINATE', 'TOTAL_PASSED')).toBe('INDETERMINATE')
  expect(verdict('TOTAL_PASSED', 'TOTAL_FAILED', 'INDETERMINATE')).toBe('INVALID')
})

test('verdict: a file that is ambiguous, or hides signatures, is never valid', () => {
  const passed = [aSignatureReport()]
  const of = (reports: typeof passed, isAmbiguous: boolean, isHidden: boolean) =>
    verdictOf(reports, { isAmbiguous, isHidden })
  expect(of(passed, true, false)).toBe('INDETERMINATE')
  expect(of(passed, false, true)).toBe('INDETERMINATE')
  expect(of([], false, true)).toBe('INDETERMINATE')
  expect(of([], true, false)).toBe('NO_SIGNATURE')
})
