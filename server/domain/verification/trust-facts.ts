import type { RevocationJudgement } from '#server/domain/revocation/question.ts'
import { formatDay, type Instant, toTimestamp } from '#server/domain/time.ts'
import { type PathResult, pathIndicationOf } from '#server/domain/trust/path.ts'
import type { RevocationFacts, SubIndication } from './report.ts'

/** Whether a certificate is trusted, and why not. */
export type TrustFacts = {
  trusted: boolean
  forTesting: boolean
  /** Null when nothing stands against the certificate. */
  subIndication: SubIndication | null
  /** es-MX; the first one says why when `subIndication` is not null. */
  warnings: string[]
  revocation: RevocationFacts
}

export const UNKNOWN_REVOCATION: RevocationFacts = {
  status: 'unknown',
  source: null,
  checkedAt: null,
  revokedAt: null,
  reason: null,
}

export function revocationFactsOf(judgement: RevocationJudgement): RevocationFacts {
  const { status, source, checkedAt, revokedAt, reason } = judgement
  const timestamp = (time: Instant | null) => (time === null ? null : toTimestamp(time))
  return {
    status,
    source,
    checkedAt: timestamp(checkedAt),
    revokedAt: timestamp(revokedAt),
    reason,
  }
}

/** No path leads from the certificate to an anchor. */
export function untrusted(result: Extract<PathResult, { kind: 'none' }>): TrustFacts {
  const indication = pathIndicationOf(result.reason)
  return {
    trusted: false,
    forTesting: false,
    subIndication: indication === 'OUT_OF_BOUNDS' ? 'OUT_OF_BOUNDS_NO_POE' : indication,
    warnings: [sentenceFor(result)],
    revocation: UNKNOWN_REVOCATION,
  }
}

function sentenceFor({ reason, certificate }: Extract<PathResult, { kind: 'none' }>): string {
  if (reason === 'expired')
    return `El certificado venció el ${formatDay(certificate.notAfter)} y nada prueba que se firmó antes.`
  if (reason === 'not-yet-valid')
    return `El certificado empieza a valer el ${formatDay(certificate.notBefore)}.`
  if (reason === 'bad-signature')
    return 'El certificado dice venir de una autoridad conocida, pero ella no lo firmó.'
  if (reason === 'no-issuer')
    return 'No se reconoce a la autoridad que emitió el certificado del firmante.'
  if (reason === 'too-many-attempts')
    return 'Se trajeron demasiados certificados para buscar entre ellos la cadena del firmante.'
  if (reason === 'unsupported-key')
    return 'Un certificado de la cadena del firmante tiene una clave de un tamaño o una curva que no se comprueba.'
  return 'La cadena de certificados del firmante no cumple las reglas.'
}
