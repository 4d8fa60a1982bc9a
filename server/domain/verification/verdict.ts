import type { SignatureReport, Verdict } from './report.ts'

/**
 * The verdict about a document: the worst of its signatures'. Timestamps alone sign nothing, and a bad one
 * is named without spoiling the signatures beside it.
 *
 * @param isAmbiguous two readers might see two documents
 */
export function verdictOf(reports: readonly SignatureReport[], isAmbiguous: boolean): Verdict {
  const signatures = reports.filter(({ kind }) => kind === 'signature')
  if (signatures.length === 0) return isAmbiguous ? 'INDETERMINATE' : 'NO_SIGNATURE'
  if (signatures.some(({ indication }) => indication === 'TOTAL_FAILED')) return 'INVALID'
  if (isAmbiguous || signatures.some(({ indication }) => indication === 'INDETERMINATE'))
    return 'INDETERMINATE'
  return 'VALID'
}
