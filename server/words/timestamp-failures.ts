import type { TimeStampFault } from '#server/domain/timestamp/time-stamp-request.ts'

/** Of an answer that came. Any other reason is that of a connection, or a code of the certificate or token. */
const WORDS: Partial<Record<TimeStampFault | 'secret-unreadable', string>> = {
  unreadable: 'su respuesta no se puede leer',
  refused: 'rechazó la solicitud',
  'nonce-differs': 'respondió a otra solicitud',
  'policy-differs': 'usó otra política de sellado',
  'time-differs': 'su hora difiere más de 5 minutos de la de este equipo; revise el reloj',
  untrusted: 'su certificado no lleva a ninguna autoridad de confianza',
  'secret-unreadable': 'no se pudo descifrar su contraseña',
}

/** Why an authority gave no timestamp, es-MX, without a full stop. */
export function reasonOfTimestampFailure({ reason }: { reason: string }): string {
  const words: Readonly<Record<string, string>> = WORDS
  if (Object.hasOwn(words, reason)) return words[reason]!
  const status = /^status (\d+)$/.exec(reason)?.[1]
  return status ? `respondió con el estado HTTP ${status}` : reason
}
