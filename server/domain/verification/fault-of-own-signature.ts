import { isDoubtful } from './codes/change-codes.ts'
import {
  type Indication,
  MODIFICATION_LEVELS,
  type ModificationLevel,
  type SignatureReport,
  type VerificationReport,
} from './report.ts'

const RANKS: Record<Indication, number> = { TOTAL_PASSED: 2, INDETERMINATE: 1, TOTAL_FAILED: 0 }

/**
 * What our own verifier has against a file that we are about to store as signed; undefined when the new
 * signature is intact, valid, trusted, the expected person's and the last thing in the file, and no earlier
 * one fares worse than before.
 *
 * @param expected.before what was said about the file without the new signature; absent when it had none
 */
export function faultOfOwnSignature(
  report: VerificationReport,
  expected: { field: string; certificateSha256: string; before?: VerificationReport | undefined },
): string | undefined {
  const own = report.signatures.find(({ field }) => field === expected.field)
  if (!own) return `the verifier sees no signature ${expected.field}`
  if (!own.intact || !own.valid || !own.trusted)
    return `intact ${own.intact}, valid ${own.valid}, trusted ${own.trusted}: ${own.subIndication}`
  if (own.coverage !== 'ENTIRE_FILE' || own.modification !== 'NONE')
    return `it covers ${own.coverage} and ${own.modification} came after it`
  if (own.signer?.sha256 !== expected.certificateSha256) return 'another certificate signed'
  if (own.level === 'NOT_PADES') return 'it is no PAdES signature'
  const { before } = expected
  if (report.signatures.length !== (before?.signatures.length ?? 0) + 1)
    return `${report.signatures.length} signatures where ${before?.signatures.length ?? 0} were`
  return before?.signatures
    .map((one) => worsening(one, report))
    .find((fault) => fault !== undefined)
}

/**
 * How an earlier signature fares worse than before; undefined when it does not.
 *
 * @param allowed the most that may have come after it
 */
export function worsening(
  before: SignatureReport,
  report: VerificationReport,
  allowed: ModificationLevel = 'FORM_FILLING',
): string | undefined {
  const after = report.signatures.find(({ field }) => field === before.field)
  if (!after) return `the signature ${before.field} is gone`
  const isWorse =
    (before.intact && !after.intact) ||
    (before.valid && !after.valid) ||
    (before.trusted && !after.trusted) ||
    RANKS[after.indication] < RANKS[before.indication] ||
    (before.docMdp?.respected && after.docMdp?.respected === false) ||
    doubtsIn(after) > doubtsIn(before) ||
    levelOf(after) > Math.max(levelOf(before), MODIFICATION_LEVELS.indexOf(allowed))
  return isWorse ? `the signature ${before.field} fares worse than before` : undefined
}

const doubtsIn = ({ changes }: SignatureReport) =>
  changes.filter(({ code }) => isDoubtful(code)).length

const levelOf = ({ modification }: SignatureReport) => MODIFICATION_LEVELS.indexOf(modification)
