import type {
  SignatureReport,
  SubIndication,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import { codesOf } from '#tests/support/pdf/verification-reports.ts'
import type { GoodFile } from './good-files.ts'
import { createOracle, type Doubtful, examine } from './oracle.ts'

export type Judged = {
  count: number
  verdicts: Record<string, number>
  drawn: number
  /** Refused, or with a difference. */
  found: { name: string; file: Uint8Array; faults: readonly string[] }[]
}

const AT_ONCE = 50

/** Verifies honest files, and draws those that are called VALID. */
export async function judgeGoodFiles(
  files: Iterable<GoodFile> | AsyncIterable<GoodFile>,
  policy: VerificationPolicy,
  onFound: (count: number, found: Judged['found'][number]) => void,
): Promise<Judged> {
  const draw = createOracle()
  const judged: Judged = { count: 0, verdicts: {}, drawn: 0, found: [] }
  const add = (one: Judged['found'][number]) => onFound(judged.found.push(one), one)
  let waiting: Doubtful[] = []
  const drawWaiting = async () => {
    const drawn = await draw(waiting)
    judged.drawn += drawn.length
    for (const { name, file, differences } of drawn)
      if (differences.length > 0) add({ name, file, faults: differences })
    waiting = []
  }
  for await (const { name, file } of files) {
    const { report, doubtful } = examine(name, file, policy)
    judged.count++
    judged.verdicts[report.verdict] = (judged.verdicts[report.verdict] ?? 0) + 1
    const fault = faultOfGood(report)
    if (fault !== undefined) add({ name, file, faults: [fault] })
    if (doubtful) waiting.push(doubtful)
    if (waiting.length >= AT_ONCE) await drawWaiting()
  }
  await drawWaiting()
  return judged
}

/** Why a report about an honest file is wrong; undefined if it is right. */
export function faultOfGood({ verdict, headline, signatures, warnings }: VerificationReport) {
  if (verdict === 'VALID') return undefined
  const undecided = signatures.filter(({ indication }) => indication !== 'TOTAL_PASSED')
  const isExcused = undecided.length > 0 && undecided.every(isBecauseOfCircumstances)
  if (verdict === 'INDETERMINATE' && isExcused) return undefined
  const reasons = [...warnings, ...undecided.flatMap((one) => one.warnings.slice(0, 1))]
  return [`${verdict}: ${headline.code}`, ...new Set(codesOf(reasons))].join(' | ')
}

/** Trust, revocation, time or algorithms. */
const CIRCUMSTANCES: ReadonlySet<SubIndication | null> = new Set([
  'NO_CERTIFICATE_CHAIN_FOUND',
  'TRY_LATER',
  'REVOKED_NO_POE',
  'REVOKED_CA_NO_POE',
  'OUT_OF_BOUNDS_NO_POE',
  'OUT_OF_BOUNDS_NOT_REVOKED',
  'CRYPTO_CONSTRAINTS_FAILURE',
  'CRYPTO_CONSTRAINTS_FAILURE_NO_POE',
])

const isBecauseOfCircumstances = ({ indication, subIndication }: SignatureReport) =>
  indication === 'INDETERMINATE' && CIRCUMSTANCES.has(subIndication)
