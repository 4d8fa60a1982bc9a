import { headline } from './codes/headline-codes.ts'
import type { VerificationReport } from './report.ts'

/** The report about a file whose judgement was stopped: it asks for more than the limits of time and memory allow. */
export const undetermined = (
  facts: Pick<VerificationReport, 'file' | 'sha256' | 'bytes'>,
): VerificationReport => ({
  ...facts,
  pages: 0,
  encrypted: false,
  verdict: 'INDETERMINATE',
  headline: headline('too-complex-to-verify'),
  signatures: [],
  warnings: [],
})
