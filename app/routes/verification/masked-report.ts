import { maskedFact, maskedField } from '#server/domain/verification/codes/masked-fact.ts'
import { maskName, maskRfc } from '#server/domain/verification/masking.ts'
import type {
  SignatureReport,
  SignerFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'

/**
 * Returns the report for readers who only have the code: no full names, RFC, CURP or file name, which may
 * reveal the parties.
 *
 * @param file replaces the file name
 * @param isNamed whether the name of its signer is public
 */
export function maskedReport(
  report: VerificationReport,
  file: string,
  isNamed: (signature: SignatureReport) => boolean = () => false,
): VerificationReport {
  return {
    ...report,
    file,
    warnings: report.warnings.map(maskedFact),
    signatures: report.signatures.map((signature) =>
      maskedSignature(signature, isNamed(signature)),
    ),
  }
}

function maskedSignature(signature: SignatureReport, isNamed: boolean): SignatureReport {
  const { field, signer, changes, warnings, fieldMdp } = signature
  return {
    ...signature,
    field: maskedField(field),
    signer: signer && maskedSigner(signer, isNamed),
    changes: changes.map(maskedFact),
    warnings: warnings.map(maskedFact),
    fieldMdp: fieldMdp.map((lock) => ({ ...lock, fields: lock.fields.map(maskedField) })),
  }
}

const maskedSigner = (signer: SignerFacts, isNamed: boolean): SignerFacts => ({
  ...signer,
  name: isNamed ? signer.name : maskName(signer.name),
  rfc: signer.rfc && maskRfc(signer.rfc),
  curp: null,
})
