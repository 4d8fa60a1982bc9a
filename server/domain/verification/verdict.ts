import type { SignatureReport, Verdict } from './report.ts'

/**
 * The verdict about a document: the worst of its signatures'.
 *
 * @param reports of all signatures and timestamps that cover the document; empty for an unsigned one
 * @param doubts.isAmbiguous two readers might see two documents
 * @param doubts.isHidden signatures may stand where we cannot read, or may have been lost
 */
export function verdictOf(
  reports: readonly SignatureReport[],
  { isAmbiguous, isHidden }: { isAmbiguous: boolean; isHidden: boolean },
): Verdict {
  if (reports.length === 0) return isHidden ? 'INDETERMINATE' : 'NO_SIGNATURE'
  if (reports.some(({ indication }) => indication === 'TOTAL_FAILED')) return 'INVALID'
  const isUndecided = reports.some(({ indication }) => indication === 'INDETERMINATE')
  return isAmbiguous || isHidden || isUndecided ? 'INDETERMINATE' : 'VALID'
}
