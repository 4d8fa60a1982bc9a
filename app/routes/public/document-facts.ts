import { documentKinds } from '#app/messages.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { PublicVerification } from '#server/features/verification/read-verification.ts'
import type { NamedFact } from './named-facts.tsx'
import { fileFacts } from './verdict-view.ts'

/** What is public about a document. Neither title nor file name: they may tell of whom it speaks. */
export function documentFacts({
  document,
  office,
  report,
  verifiedAt,
}: PublicVerification): NamedFact[] {
  return [
    { name: 'Tipo', value: documentKinds[document.kind] },
    { name: 'Folio', value: document.folio },
    { name: 'Notaría', value: office.name },
    { name: 'Código de verificación', value: document.verificationCode },
    { name: 'Firmado', value: formatInstant(document.stateSince, office.timeZone) },
    { name: 'Dictamen del', value: formatInstant(verifiedAt, office.timeZone) },
    ...fileFacts(report),
  ]
}
