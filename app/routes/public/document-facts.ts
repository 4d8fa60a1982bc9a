import { documentKinds } from '#app/messages/documents.ts'
import { formatInstant } from '#server/domain/time.ts'
import type { ConstanciaState } from '#server/domain/timestamp/constancia.ts'
import type { PublicVerification } from '#server/features/verification/read-verification.ts'
import type { NamedFact } from './named-facts.tsx'
import { fileFacts } from './verdict-view.ts'

/** What is public about a document. Neither title nor file name: they may tell of whom it speaks. */
export function documentFacts({
  document,
  office,
  report,
  constancia,
  verifiedAt,
}: Omit<PublicVerification, 'version'>): NamedFact[] {
  return [
    { name: 'Tipo', value: documentKinds[document.kind] },
    { name: 'Folio', value: document.folio },
    { name: 'Notaría', value: office.name },
    { name: 'Código de verificación', value: document.verificationCode },
    { name: 'Firmado', value: formatInstant(document.stateSince, office.timeZone) },
    ...(constancia ? [{ name: 'Constancia NOM-151', value: CONSTANCIAS[constancia] }] : []),
    { name: 'Dictamen del', value: formatInstant(verifiedAt, office.timeZone) },
    ...fileFacts(report),
  ]
}

const CONSTANCIAS: Record<ConstanciaState, string> = {
  pending: 'Constancia pendiente: el prestador aún no la emite',
  issued: 'Emitida',
  failed: 'No emitida',
}
