import { type Duration, type Instant, minutes } from '#server/domain/time.ts'
import type { VerificationReport } from './report.ts'

/** How long a verdict may be repeated without looking at the file again. */
export const REPORT_LIFE: Duration = minutes(5)

/**
 * Whether what was said `at` may still be said `now`: it is young, and no certificate of a signer began or
 * ended in between.
 */
export function isStillTrue(report: VerificationReport, at: Instant, now: Instant): boolean {
  if (now < at || now - at > REPORT_LIFE) return false
  // The certificates of signatures that are not listed are unknown.
  if (report.signatures.some(({ number }) => number !== undefined)) return false
  return report.signatures.every(({ signer }) => {
    if (!signer) return true
    const edges = [Date.parse(signer.notBefore), Date.parse(signer.notAfter)]
    return edges.every((edge) => isBeyond(edge, at) === isBeyond(edge, now))
  })
}

const isBeyond = (edge: number, at: Instant) => at >= edge
