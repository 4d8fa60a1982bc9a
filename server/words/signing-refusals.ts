import type { Signatory } from '#server/domain/identity/actor.ts'
import { formatDay, type Instant } from '#server/domain/time.ts'

/* Why a person may not sign with a certificate that is good in itself, es-MX. */

const CAPACITY_NOT_IN_FORCE =
  'Su calidad de notario no está vigente hoy, por lo que no puede firmar. Consulte al administrador.'

const CHARACTER_MISSING =
  'No está registrado en qué carácter firma usted, por lo que no puede firmar. Consulte a la notaría.'

/** Why nothing lets this person sign. */
export const noCharacter = ({ actor }: { actor: Signatory }): string =>
  actor.kind === 'person' && actor.roles.includes('NOTARY')
    ? CAPACITY_NOT_IN_FORCE
    : CHARACTER_MISSING

export const certificateRevoked = (revokedAt: Instant, zone: string) =>
  `Su certificado fue revocado el ${formatDay(revokedAt, zone)}, por lo que no puede firmar con él. Use el que lo reemplaza.`
