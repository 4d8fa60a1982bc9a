import type { SignatureReport } from './report.ts'

/** Deeds have at most some hundred; a report with twenty thousand helps no reader. */
export const MOST_LISTED = 200
/** Of those that did not pass. */
export const MOST_FAULTY = 100

/**
 * The signatures that a report lists, in their order: the first that did not pass, the last one of all, and as many
 * others from the first on as there is room for. Where some are left out, each says which one it is.
 */
export function listedSignatures(reports: readonly SignatureReport[]): SignatureReport[] {
  if (reports.length <= MOST_LISTED) return [...reports]
  const numbered = reports.map((report, index) => ({ ...report, number: index + 1 }))
  const faulty = numbered.filter(({ indication }) => indication !== 'TOTAL_PASSED')
  const last = numbered.slice(-1)
  const listed = new Set([...faulty.slice(0, MOST_FAULTY), ...last])
  for (const one of numbered) {
    if (listed.size === MOST_LISTED) break
    listed.add(one)
  }
  return [...listed].toSorted((a, b) => a.number - b.number)
}
