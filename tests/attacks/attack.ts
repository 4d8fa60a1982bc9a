import { memorySource } from '#server/domain/bytes.ts'
import type { Warning } from '#server/domain/verification/codes/warning.ts'
import type {
  Change,
  Coverage,
  ModificationLevel,
  Verdict,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { type VerificationPolicy, verifyFile } from '#server/domain/verification/verify-file.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'

/** The required report about a file. If several values are given, any of them is right. */
export type Answer = {
  verdict: readonly Verdict[]
  /** Of the first signature. */
  modification?: readonly ModificationLevel[]
  coverage?: readonly Coverage[]
  /** The name of the attack in the list of changes. */
  attack?: string
  /** A code of the report, its changes or its warnings. */
  says?: Change['code'] | Warning['code']
}

/** A file derived from a signed one, and the required report. */
export type Attack = {
  /** Unique in its family, with its parameters. */
  name: string
  make: () => Uint8Array | Promise<Uint8Array>
  answer: Answer
  /** The verifier does not answer this yet: the reason and the effect. */
  isOpen?: string
}

/** Something that is done to the bytes of a signed file, whatever else the file holds. */
export type ByteAttack = {
  name: string
  change: (file: Uint8Array) => Uint8Array
  answer: Answer
}

/** A kind of attack, or of change that is none, by its name in the literature. */
export type Family = { name: string; attacks: readonly Attack[] }

/** The fields of a report that the expectation names. */
export type Outcome = {
  verdict: Verdict
  modification: ModificationLevel | undefined
  coverage: Coverage | undefined
  codes: string[]
  attacks: string[]
}

export function outcomeOf(file: Uint8Array, policy: VerificationPolicy): Outcome {
  const report = verifyFile(memorySource(file), 'prueba.pdf', policy)
  const [first] = report.signatures
  const changes = report.signatures.flatMap((signature) => signature.changes)
  return {
    verdict: report.verdict,
    modification: first?.modification,
    coverage: first?.coverage,
    codes: codesIn(report),
    attacks: changes.flatMap((change) => change.attack ?? []),
  }
}

const codesIn = ({ headline, warnings, signatures }: VerificationReport) => [
  headline.code,
  ...codesOf(warnings),
  ...signatures.flatMap((one) => [...codesOf(one.warnings), ...codesOf(one.changes)]),
]

/** The mismatch of an outcome; undefined if it is as expected. */
export function faultOf(outcome: Outcome, answer: Answer): string | undefined {
  const { verdict, modification, coverage, attack, says } = answer
  if (!verdict.includes(outcome.verdict)) return `${outcome.verdict}, not ${verdict.join(' or ')}`
  if (modification && !modification.includes(outcome.modification ?? 'NONE'))
    return `modification ${outcome.modification}, not ${modification.join(' or ')}`
  if (coverage && !coverage.includes(outcome.coverage ?? 'UNCLEAR'))
    return `coverage ${outcome.coverage}, not ${coverage.join(' or ')}`
  if (attack && !outcome.attacks.includes(attack))
    return `called ${outcome.attacks.join(', ') || 'nothing'}, not ${attack}`
  if (says && !outcome.codes.includes(says))
    return `nothing says ${says}: ${outcome.codes.join(', ')}`
  return undefined
}

export const INVALID = { verdict: ['INVALID'] } as const satisfies Answer
/** Two readers may see two documents: both answers keep people from relying on it. */
export const NOT_GOOD = { verdict: ['INVALID', 'INDETERMINATE'] } as const satisfies Answer
/** Not reliable, and our readers need not open it. */
export const REFUSED = {
  verdict: ['INVALID', 'INDETERMINATE', 'NOT_A_PDF'],
} as const satisfies Answer
/** A change after signing that nothing allows. */
export const MODIFIED = { verdict: ['INVALID'], modification: ['OTHER'] } as const satisfies Answer
/** Good after signing, and the change is called by its level. */
export const valid = (...modification: ModificationLevel[]): Answer => ({
  verdict: ['VALID'],
  ...(modification.length > 0 && { modification }),
})
