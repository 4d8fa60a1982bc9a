import type { Warning } from '#server/domain/verification/codes/warning.ts'
import type {
  Change,
  ConstanciaReport,
  SignatureReport,
  TimestampFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { sentenceOfChange } from './changes.ts'
import { sentenceOfConstancia } from './constancias.ts'
import { sentenceOfHeadline } from './headlines.ts'
import { sentenceOfWarning } from './warnings.ts'

/** A report with its es-MX sentences beside the codes, as files and programs get it. */
export function printReport(report: VerificationReport) {
  const { file, sha256, bytes, pages, encrypted, verdict, headline, constancia } = report
  return {
    ...{ file, sha256, bytes, pages, encrypted, verdict },
    ...headline,
    sentence: sentenceOfHeadline(headline),
    signatures: report.signatures.map(printSignature),
    ...(constancia && { constancia: printConstancia(constancia) }),
    warnings: report.warnings.map(printWarning),
  }
}

const printSignature = (signature: SignatureReport) => ({
  ...signature,
  changes: signature.changes.map(printChange),
  timestamps: signature.timestamps.map(printTimestamp),
  warnings: signature.warnings.map(printWarning),
})

const printTimestamp = ({ reason, ...timestamp }: TimestampFacts) => ({
  ...timestamp,
  ...(reason !== undefined && { reason: reason && printWarning(reason) }),
})

function printConstancia({ headline, warnings, ...constancia }: ConstanciaReport) {
  return {
    ...constancia,
    ...headline,
    sentence: sentenceOfConstancia(headline),
    warnings: warnings.map(printWarning),
  }
}

const printChange = (change: Change) => ({ ...change, sentence: sentenceOfChange(change) })

const printWarning = (warning: Warning) => ({ ...warning, sentence: sentenceOfWarning(warning) })
