import { type Headline, headline } from './codes/headline-codes.ts'
import type { Warning } from './codes/warning.ts'
import type { SignatureReport, Verdict } from './report.ts'

/**
 * The verdict in one sentence: the worst that holds.
 *
 * @param options.isAmbiguous readers may see different documents in the file
 * @param options.loss why the file may have had signatures that are not among `signatures`
 */
export function headlineOf(
  verdict: Verdict,
  signatures: readonly SignatureReport[],
  { isAmbiguous = false, loss }: { isAmbiguous?: boolean; loss?: Loss | undefined } = {},
): Headline {
  switch (verdict) {
    case 'VALID':
      return headline(isFilled(signatures) ? 'signed-then-filled' : 'signed-and-intact')
    case 'NO_SIGNATURE':
      return headline('no-signatures')
    case 'NOT_A_PDF':
      return headline('not-a-pdf')
    case 'INVALID':
      return headlineOfInvalid(signatures)
    case 'INDETERMINATE':
      return loss ? headline(LOSSES[loss]) : headlineOfUndecided(signatures, isAmbiguous)
  }
}

/** Whether fields were filled after a signature; further signatures are none. */
const isFilled = (signatures: readonly SignatureReport[]) =>
  signatures.some(({ changes }) => changes.some(({ code }) => code === 'field-filled'))

/** Why it is unknown whether a file without readable signatures had any. */
export type Loss = 'damaged' | 'encrypted'

const LOSSES = { damaged: 'damaged-maybe-signed', encrypted: 'encrypted-maybe-signed' } as const

function headlineOfInvalid(signatures: readonly SignatureReport[]): Headline {
  const failed = signatures.filter(({ indication }) => indication === 'TOTAL_FAILED')
  const warns = (code: Warning['code']) =>
    failed.some(({ warnings }) => warnings.some((one) => one.code === code))
  if (warns('byte-range-beyond-file')) return headline('file-truncated')
  if (
    failed.some(({ changes }) => changes.some(({ code }) => code === 'incomplete-revision-added'))
  )
    return headline('incomplete-or-modified')
  if (failed.some(({ subIndication }) => subIndication === 'HASH_FAILURE'))
    return headline('signed-bytes-differ')
  if (failed.some(({ subIndication }) => subIndication === 'REVOKED'))
    return headline('revoked-before-signing')
  if (failed.some(({ modification }) => modification === 'OTHER' || modification === 'ANNOTATIONS'))
    return headline('modified-after-signing')
  return headline(warns('signature-differs') ? 'signature-false-or-damaged' : 'signature-invalid')
}

const UNDECIDED = [
  ['NO_CERTIFICATE_CHAIN_FOUND', 'signed-authority-unknown'],
  ['OUT_OF_BOUNDS_NO_POE', 'signed-certificate-out-of-bounds'],
  ['REVOKED_NO_POE', 'signed-certificate-revoked'],
  ['REVOKED_CA_NO_POE', 'signed-authority-revoked'],
  ['TRY_LATER', 'signed-revocation-unknown'],
  ['CRYPTO_CONSTRAINTS_FAILURE_NO_POE', 'signed-algorithm-weak'],
] as const

/** Readers may see different documents, or different signatures. */
const TWOFOLD: ReadonlySet<Warning['code']> = new Set([
  'irregular-after-signature',
  'signature-key-repeated',
  'signed-in-two-ways',
])

/** Says that a document is intact only where every signature is. */
function headlineOfUndecided(
  signatures: readonly SignatureReport[],
  isAmbiguous: boolean,
): Headline {
  const isTwofold = signatures.some(({ warnings }) =>
    warnings.some(({ code }) => TWOFOLD.has(code)),
  )
  if (isAmbiguous || isTwofold) return headline('readers-may-differ')
  const reasons = new Set(signatures.map(({ subIndication }) => subIndication))
  const isIntact = signatures.every(({ intact, valid }) => intact && valid)
  const found = UNDECIDED.find(([reason]) => reasons.has(reason))
  return headline(found && isIntact ? found[1] : 'no-verdict')
}
