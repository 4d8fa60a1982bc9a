import { formatInstant } from '#server/domain/time.ts'
import type { SignatureReport, VerificationReport } from '#server/domain/verification/report.ts'
import type { VerifiedUpload } from '#server/features/verification/verify-upload.ts'
import { quoted } from '#server/words/quoted.ts'
import { saysName, UNCONFIRMED_SIGNER } from '#server/words/unconfirmed-names.ts'
import type { NamedFact } from './named-facts.tsx'
import type { SignedRevisionChoice } from './signed-revision-form.tsx'
import { fileFacts, verdictView } from './verdict-view.ts'

/** The reader's time zone is unknown: use the capital's. */
const ZONE = 'America/Mexico_City'

/** With full names: the sender has the file, which contains them. */
export const uploadView = (report: VerificationReport, isDemo: boolean) =>
  verdictView(report, { zone: ZONE, isDemo, names: 'whole' })

/** The signatures followed by later changes: their signed revisions can be downloaded. */
export const signedRevisions = (report: VerificationReport): SignedRevisionChoice[] =>
  report.signatures.flatMap((signature, index) => {
    const number = signature.number ?? index + 1
    return signature.coverage === 'ENTIRE_REVISION'
      ? [{ value: String(number), label: `${number}. ${labelOf(signature)}` }]
      : []
  })

function labelOf(signature: SignatureReport): string {
  if (!signature.signer) return `Campo ${quoted(signature.field)}`
  const { name, vouched } = signature.signer
  return vouched ? name : `${UNCONFIRMED_SIGNER}, ${saysName(name)}`
}

export type ComparisonView = { page: number; before: string | null; after: string | null }

/** Embedded in the page: the file is not stored, so no URL could serve the pictures. */
export const comparisonViews = (pages: VerifiedUpload['pages']): ComparisonView[] =>
  pages.map(({ page, before, after }) => ({ page, before: inline(before), after: inline(after) }))

const inline = (png: Uint8Array | null) =>
  png && `data:image/png;base64,${Buffer.from(png).toString('base64')}`

export const uploadFacts = ({ report, verifiedAt }: VerifiedUpload): NamedFact[] => [
  { name: 'Archivo', value: report.file },
  ...fileFacts(report),
  { name: 'Verificado', value: formatInstant(verifiedAt, ZONE) },
]
