import { formatDay, type Instant } from '#server/domain/time.ts'

/* Why a person may not sign with a certificate that is good in itself, es-MX. */

export const CAPACITY_NOT_IN_FORCE =
  'Su calidad de notario no está vigente hoy, por lo que no puede firmar. Consulte al administrador.'

export const certificateRevoked = (revokedAt: Instant, zone: string) =>
  `Su certificado fue revocado el ${formatDay(revokedAt, zone)}, por lo que no puede firmar con él. Use el que lo reemplaza.`
