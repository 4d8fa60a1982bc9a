import type { SignatureReport, Verdict } from './report.ts'

/**
 * The verdict about a document: the worst of its signatures'. Timestamps alone sign nothing, and a bad one
 * is named without spoiling the signatures beside it.
 *
 * @param doubts.isAmbiguous two readers might see two documents
 * @param doubts.isHidden signatures may stand where we cannot read
 */
export function verdictOf(
  reports: readonly SignatureReport[],
  { isAmbiguous, isHidden }: { isAmbiguous: boolean; isHidden: boolean },
): Verdict {
  const signatures = reports.filter(({ kind }) => kind === 'signature')
  if (signatures.length === 0) return isHidden ? 'INDETERMINATE' : 'NO_SIGNATURE'
  if (signatures.some(({ indication }) => indication === 'TOTAL_FAILED')) return 'INVALID'
  if (
    isAmbiguous ||
    isHidden ||
    signatures.some(({ indication }) => indication === 'INDETERMINATE')
  )
    return 'INDETERMINATE'
  return 'VALID'
}
