import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'

/** The mistake of the answer; undefined if a file of the class got the right answer. */
export type Examine = (report: VerificationReport) => string | undefined

/** The expected result of each class under each trust. */
export const CLASSES: Readonly<Record<string, Examine>> = {
  intact: ({ signatures, verdict }) =>
    firstOf(signatures, [
      ['not intact', (one) => !one.intact],
      ['not valid', (one) => !one.valid],
      ['modified', (one) => !isUpToForms(one)],
      ['of unclear coverage', (one) => one.coverage === 'UNCLEAR'],
    ]) ?? unless(verdict === 'VALID' || verdict === 'INDETERMINATE', verdict),

  modified: ({ signatures, verdict, warnings }) => {
    const isFound =
      verdict === 'INVALID' ||
      signatures.some((one) => !isUpToForms(one) || one.coverage === 'UNCLEAR')
    const isExplained =
      warnings.length > 0 ||
      signatures.some((one) => one.changes.length > 0 || one.warnings.length > 0)
    return unless(isFound, `overlooked: ${verdict}`) ?? unless(isExplained, 'nothing says why')
  },

  'form-filled': ({ signatures }) => {
    const filled = signatures.filter(({ modification }) => modification === 'FORM_FILLING')
    const isNamed = filled.some(({ changes }) =>
      changes.some(({ parameters }) => 'field' in parameters),
    )
    const levels = signatures.map(({ modification }) => modification).join(', ')
    return unless(filled.length > 0, levels) ?? unless(isNamed, 'no field is named')
  },

  broken: ({ signatures, verdict }) =>
    unless(
      signatures.some((one) => !one.intact || !one.valid || one.indication === 'TOTAL_FAILED'),
      `overlooked: ${verdict}`,
    ) ?? unless(verdict !== 'VALID', verdict),

  'bad-timestamp': ({ signatures }) =>
    unless(
      signatures.some((one) => one.kind === 'signature' && one.intact && one.valid),
      'the signature does not stand',
    ) ??
    unless(
      signatures.some(({ timestamps }) => timestamps.some(({ valid }) => !valid)),
      'no timestamp is called bad',
    ),

  'no-signature': ({ verdict }) => unless(verdict === 'NO_SIGNATURE', verdict),

  terminates: () => undefined,
}

const isUpToForms = ({ modification }: SignatureReport) =>
  modification !== 'ANNOTATIONS' && modification !== 'OTHER'

const unless = (isRight: boolean, fault: string) => (isRight ? undefined : fault)

function firstOf(
  signatures: readonly SignatureReport[],
  faults: readonly (readonly [string, (one: SignatureReport) => boolean])[],
): string | undefined {
  for (const [fault, holds] of faults) {
    const found = signatures.find(holds)
    if (found) return `${found.field}: ${fault}`
  }
  return undefined
}
