import type { PublicNames } from '#server/domain/identity/office.ts'
import { maskedFact, maskedField } from '#server/domain/verification/codes/masked-fact.ts'
import { initialsOnly, maskName, maskRfc } from '#server/domain/verification/masking.ts'
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
 * @param names how the office shows the other names
 */
export function maskedReport(
  report: VerificationReport,
  file: string,
  isNamed: (signature: SignatureReport) => boolean = () => false,
  names: PublicNames = 'masked',
): VerificationReport {
  return {
    ...report,
    file,
    warnings: report.warnings.map(maskedFact),
    signatures: report.signatures.map((signature) =>
      maskedSignature(signature, isNamed(signature), names),
    ),
  }
}

function maskedSignature(
  signature: SignatureReport,
  isNamed: boolean,
  names: PublicNames,
): SignatureReport {
  const { field, signer, changes, warnings, fieldMdp } = signature
  return {
    ...signature,
    field: maskedField(field),
    signer: signer && maskedSigner(signer, isNamed, names),
    changes: changes.map(maskedFact),
    warnings: warnings.map(maskedFact),
    fieldMdp: fieldMdp.map((lock) => ({ ...lock, fields: lock.fields.map(maskedField) })),
  }
}

const MASKS: Record<PublicNames, (name: string) => string> = {
  masked: maskName,
  initials: initialsOnly,
}

const maskedSigner = (signer: SignerFacts, isNamed: boolean, names: PublicNames): SignerFacts => ({
  ...signer,
  name: isNamed ? signer.name : MASKS[names](signer.name),
  rfc: signer.rfc && maskRfc(signer.rfc),
  curp: null,
})
