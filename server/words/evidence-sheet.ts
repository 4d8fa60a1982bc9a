import { formatInstant, parseInstant } from '#server/domain/time.ts'
import type { RevocationFacts, SignatureReport } from '#server/domain/verification/report.ts'
import { sentenceOfWarning } from './verification/warnings.ts'

/* Words of the evidence sheet about a signature, es-MX. */

export const UNKNOWN = 'No se sabe'
export const UNKNOWN_SIGNER = 'Firmante desconocido'

const RESULTS: Record<SignatureReport['indication'], string> = {
  TOTAL_PASSED: 'Firma válida',
  INDETERMINATE: 'Firma sin confirmar',
  TOTAL_FAILED: 'Firma no válida',
}

/** The first warning says why a signature is not valid. */
export function signatureResult({ indication, forTesting, warnings }: SignatureReport): string {
  const result = forTesting ? `${RESULTS[indication]}, de prueba` : RESULTS[indication]
  const why = indication === 'TOTAL_PASSED' ? undefined : warnings[0]
  return why ? `${result}. ${sentenceOfWarning(why)}` : result
}

const REVOCATIONS: Record<RevocationFacts['status'], string> = {
  good: 'El certificado no había sido revocado',
  revoked: 'El certificado fue revocado',
  unknown: 'No comprobada',
}

const SOURCES: Record<NonNullable<RevocationFacts['source']>, string> = {
  ocsp: 'respuesta OCSP de la autoridad',
  crl: 'lista de revocación de la autoridad',
  embedded: 'respuesta de la autoridad que trae el archivo',
}

/**
 * Whether the certificate was revoked, and the source.
 *
 * @param reason the authority's reason, in words
 */
export function revocationText(
  facts: Omit<RevocationFacts, 'reason'>,
  reason: string | null,
  zone: string,
): string {
  const { status, source, checkedAt, revokedAt } = facts
  const why = reason ? ` (${reason})` : ''
  const on = revokedAt ? ` el ${spoken(revokedAt, zone)}${why}` : ''
  const revoked = status === 'good' && on ? `; lo fue después,${on}` : on
  const from = source ? `, según la ${SOURCES[source]}` : ''
  const asked = source && checkedAt ? ` del ${spoken(checkedAt, zone)}` : ''
  return `${REVOCATIONS[status]}${revoked}${from}${asked}`
}

/** The result of a timestamp. */
export const timestampResult = ({ valid, trusted }: { valid: boolean; trusted: boolean }) =>
  !valid ? 'no válido' : trusted ? 'válido' : 'sin confirmar'

const spoken = (time: string, zone: string) => formatInstant(parseInstant(time), zone)
