import type { RevocationDoubt } from '#server/domain/revocation/question.ts'
import type { RevocationReason } from '#server/domain/revocation/reason.ts'
import type { RevocationFacts } from '#server/domain/verification/report.ts'
import { timeText } from './phrases.ts'

const DOUBTS: Record<RevocationDoubt, string> = {
  'no-answer': 'Ninguna respuesta de la autoridad dice si el certificado fue revocado.',
  malformed: 'La respuesta sobre la revocación del certificado no se puede leer.',
  refused: 'El servicio que dice si un certificado fue revocado no quiso responder.',
  'try-later': 'El servicio que dice si un certificado fue revocado pidió intentarlo más tarde.',
  'unknown-to-responder': 'El servicio de revocación respondió que no conoce el certificado.',
  'not-applicable': 'La respuesta sobre la revocación no se refiere a este certificado.',
  'unauthorized-responder':
    'La respuesta sobre la revocación viene de quien no puede responder por la autoridad.',
  'bad-signature': 'La firma de la respuesta sobre la revocación no es de la autoridad.',
  'weak-algorithm': 'La respuesta sobre la revocación se firmó con un algoritmo débil.',
  'from-the-future': 'La respuesta sobre la revocación tiene fecha futura.',
  stale: 'La respuesta sobre la revocación es anterior al momento que debe probar.',
  'expired-certificates-forgotten':
    'La respuesta sobre la revocación se hizo cuando el certificado ya había vencido.',
}

/** Why revocation is unknown, es-MX. */
export const sentenceAboutDoubt = (doubt: RevocationDoubt) => DOUBTS[doubt]

const REASONS: Record<RevocationReason, string> = {
  unspecified: 'sin motivo declarado',
  keyCompromise: 'la llave privada dejó de ser secreta',
  cACompromise: 'la llave de la autoridad dejó de ser secreta',
  affiliationChanged: 'cambiaron los datos del titular',
  superseded: 'se sustituyó por otro',
  cessationOfOperation: 'dejó de usarse',
  certificateHold: 'está suspendido',
  removeFromCRL: 'dejó de estar suspendido',
  privilegeWithdrawn: 'se retiró la autorización',
  aACompromise: 'la llave de la autoridad de atributos dejó de ser secreta',
}

/** Why the authority revoked, es-MX, to stand in a sentence or alone. */
export const reasonForPeople = (reason: RevocationReason) => REASONS[reason]

const STATUSES: Record<RevocationFacts['status'], string> = {
  good: 'El certificado no había sido revocado',
  revoked: 'El certificado fue revocado',
  unknown: 'No comprobada',
}

const SOURCES: Record<NonNullable<RevocationFacts['source']>, string> = {
  ocsp: 'respuesta OCSP de la autoridad',
  crl: 'lista de revocación de la autoridad',
  embedded: 'respuesta de la autoridad que trae el archivo',
}

/** Whether the certificate was revoked, when and why, and which answer says so, es-MX. */
export function revocationText(facts: RevocationFacts, zone?: string): string {
  const { status, source, checkedAt, revokedAt, reason } = facts
  const date = revokedAt && timeText(revokedAt, zone)
  const why = reason ? ` (${reasonForPeople(reason)})` : ''
  const on = status === 'revoked' && date ? ` el ${date}${why}` : ''
  const later = status === 'good' && date ? `; lo fue después, el ${date}${why}` : ''
  const from = source ? `, según la ${SOURCES[source]}` : ''
  const asked = source && checkedAt ? ` del ${timeText(checkedAt, zone)}` : ''
  return `${STATUSES[status]}${on}${later}${from}${asked}`
}
