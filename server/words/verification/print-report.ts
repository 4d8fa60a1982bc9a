import type {
  Change,
  SignatureReport,
  VerificationReport,
} from '#server/domain/verification/report.ts'
import { sentenceOfChange } from './changes.ts'

/** A report with its es-MX sentences beside the codes, as files and programs get it. */
export const printReport = (report: VerificationReport) => ({
  ...report,
  signatures: report.signatures.map(printSignature),
})

const printSignature = (signature: SignatureReport) => ({
  ...signature,
  changes: signature.changes.map(printChange),
})

const printChange = (change: Change) => ({ ...change, sentence: sentenceOfChange(change) })
