import { formatInstant } from '#server/domain/time.ts'
import type { VerificationReport } from '#server/domain/verification/report.ts'
import type { VerifiedUpload } from '#server/features/verification/verify-upload.ts'
import type { NamedFact } from './named-facts.tsx'
import type { SignedRevisionChoice } from './signed-revision-form.tsx'
import { fileFacts, verdictView } from './verdict-view.ts'

/** Whoever asks may be anywhere: times are said as in the capital. */
const ZONE = 'America/Mexico_City'

/** With whole names: whoever sent the file can read in it who signed. */
export const uploadView = (report: VerificationReport, isDemo: boolean) =>
  verdictView(report, { zone: ZONE, isDemo, names: 'whole' })

/** The signatures behind which something was added: what they signed can be had on its own. */
export const signedRevisions = (report: VerificationReport): SignedRevisionChoice[] =>
  report.signatures.flatMap(({ coverage, field, signer }, index) =>
    coverage === 'ENTIRE_REVISION'
      ? [{ value: String(index + 1), label: `${index + 1}. ${signer?.name ?? field}` }]
      : [],
  )

export type ComparisonView = { page: number; before: string | null; after: string | null }

/** Within the answer itself, because nothing of the file is kept from which a picture could be asked for. */
export const comparisonViews = (pages: VerifiedUpload['pages']): ComparisonView[] =>
  pages.map(({ page, before, after }) => ({ page, before: inline(before), after: inline(after) }))

const inline = (png: Uint8Array | null) =>
  png && `data:image/png;base64,${Buffer.from(png).toString('base64')}`

export const uploadFacts = ({ report, verifiedAt }: VerifiedUpload): NamedFact[] => [
  { name: 'Archivo', value: report.file },
  ...fileFacts(report),
  { name: 'Verificado', value: formatInstant(verifiedAt, ZONE) },
]
