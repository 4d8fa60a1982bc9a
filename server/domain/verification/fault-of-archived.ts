import { worsening } from './fault-of-own-signature.ts'
import type { SignatureReport, VerificationReport } from './report.ts'

/**
 * The fault that our own verifier finds in a file to which proofs were added; undefined if no signature is judged
 * worse than before and every new timestamp is intact and trusted.
 *
 * @param before what was said about the file without them
 */
export function faultOfArchived(
  report: VerificationReport,
  before: VerificationReport,
): string | undefined {
  const known = new Set(before.signatures.map(({ field }) => field))
  const added = report.signatures.filter(({ field }) => !known.has(field))
  if (added.length !== report.signatures.length - before.signatures.length)
    return 'a signature is gone'
  return (
    added.map(faultOfStamp).find((fault) => fault !== undefined) ??
    before.signatures
      .map((one) => worsening(one, report, 'LTA_UPDATES'))
      .find((fault) => fault !== undefined)
  )
}

function faultOfStamp({ kind, field, intact, valid, trusted }: SignatureReport) {
  if (kind === 'signature') return `${field} is no timestamp`
  return intact && valid && trusted ? undefined : `the timestamp ${field} does not count`
}

const RANKS = { NOT_PADES: 0, 'B-B': 1, 'B-T': 2, 'B-LT': 3, 'B-LTA': 4 } as const

/** Whether every signature in these fields reaches the level. */
export function isAtLeast(
  report: VerificationReport,
  fields: readonly string[],
  level: keyof typeof RANKS,
): boolean {
  return fields.every((field) => {
    const own = report.signatures.find((one) => one.field === field)
    return own !== undefined && RANKS[own.level] >= RANKS[level]
  })
}
