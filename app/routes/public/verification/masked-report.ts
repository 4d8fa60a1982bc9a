import { maskName, maskRfc } from '#server/domain/verification/masking.ts'
import type {
  SignatureReport,
  SignerFacts,
  VerificationReport,
} from '#server/domain/verification/report.ts'

/**
 * A report as anybody may read it who has only the code of a document: without whole names, RFC and CURP, and
 * without the name of the file, which may tell of whom the document speaks.
 *
 * @param file what stands for the name of the file
 */
export function maskedReport(report: VerificationReport, file: string): VerificationReport {
  return {
    ...report,
    file,
    warnings: report.warnings.map(withoutFieldNames),
    signatures: report.signatures.map(maskedSignature),
  }
}

function maskedSignature(signature: SignatureReport): SignatureReport {
  const { field, signer, changes, warnings, fieldMdp } = signature
  return {
    ...signature,
    field: maskedField(field),
    signer: signer && maskedSigner(signer),
    changes: changes.map((change) => ({ ...change, sentence: withoutFieldNames(change.sentence) })),
    warnings: warnings.map(withoutFieldNames),
    ...(fieldMdp && {
      fieldMdp: fieldMdp.map((lock) => ({ ...lock, fields: lock.fields.map(maskedField) })),
    }),
  }
}

const maskedSigner = (signer: SignerFacts): SignerFacts => ({
  ...signer,
  name: maskName(signer.name),
  rfc: signer.rfc && maskRfc(signer.rfc),
  curp: null,
})

/* Fields of a document that came from elsewhere may be called like their signers. */
const maskedField = (field: string) => (/^Firma\d+$/.test(field) ? field : '…')

/** What stands between these quotes is a name from the file, but for the name of the attack. */
const withoutFieldNames = (text: string) =>
  text.replace(/«([^»]*)»/gu, (whole, name: string) =>
    name === 'shadow' ? whole : `«${maskedField(name)}»`,
  )
