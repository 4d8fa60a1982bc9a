import type { TimestampCodes } from '#server/domain/verification/codes/timestamp-codes.ts'
import { dayText } from './phrases.ts'
import type { SentencesOf } from './words.ts'

/** Why a timestamp does not count, es-MX. */
export const TIMESTAMPS: SentencesOf<TimestampCodes> = {
  'timestamp-imprint-differs': () => 'El sello de tiempo es de otros datos.',
  'timestamp-digest-unsupported': () => 'El sello de tiempo usa un algoritmo desconocido.',
  'timestamp-certificate-missing': () =>
    'El sello de tiempo no trae el certificado de quien lo emitió.',
  'timestamp-content-differs': () => 'El sello de tiempo está dañado.',
  'timestamp-signature-differs': () =>
    'La firma del sello de tiempo no es de la autoridad que dice haberlo emitido.',
  'timestamp-certificate-not-bound': () =>
    'El sello de tiempo no identifica correctamente el certificado con el que se firmó.',
  'timestamp-malformed': () => 'El sello de tiempo no cumple el formato.',
  'timestamp-critical-extension': () =>
    'El sello de tiempo trae condiciones que aquí no se conocen.',
  'timestamp-not-for-time-stamping': () =>
    'El certificado que firmó el sello de tiempo no es para emitirlos.',
  'timestamp-unreadable': () => 'Un sello de tiempo no se puede leer.',
  'too-many-timestamps': () => 'El archivo tiene demasiados sellos de tiempo.',
  'timestamp-copied': () =>
    'El sello de tiempo es copia de otro de este archivo y no corresponde a lo que cubre.',
  'timestamp-of-other-signature': () => 'El sello de tiempo se copió de otra firma.',
  'timestamp-repeated': () => 'El mismo sello de tiempo está dos veces: cuenta una.',
  'timestamp-in-future': () => 'El sello de tiempo tiene fecha futura.',
  'timestamp-after-its-proof': () =>
    'El sello de tiempo dice ser posterior al que prueba que ya existía.',
  'timestamp-algorithm-weak': () => 'El sello usa un algoritmo débil.',
  'timestamp-authority-unknown': () =>
    'No se reconoce a la autoridad que emitió el sello de tiempo.',
  'timestamp-certificate-expired': ({ notAfter }) =>
    `El certificado de quien emitió el sello venció el ${dayText(notAfter)} y ningún sello posterior lo conserva.`,
  'timestamp-before-certificate': () =>
    'El sello de tiempo es anterior al certificado de quien lo emitió.',
  'timestamp-chain-rules-broken': () =>
    'La cadena de certificados de quien emitió el sello no cumple las reglas.',
  'timestamp-certificate-revoked': ({ revokedAt }) =>
    `El certificado de quien emitió el sello fue revocado el ${dayText(revokedAt)}.`,
  'timestamp-authority-revoked': () =>
    'Se revocó el certificado de una autoridad de la que depende quien emitió el sello.',
  'timestamp-revocation-unknown': () =>
    'No se pudo comprobar si el certificado de quien emitió el sello fue revocado.',
  'timestamp-revocation-not-checked': () =>
    'No se comprobó si el certificado de quien emitió el sello fue revocado.',
  'timestamp-authority-revocation-not-checked': () =>
    'No se comprobó si se revocó a una autoridad de la que depende quien emitió el sello.',
  'constancia-root-differs': () =>
    'La raíz de las constancias no emitió el certificado con el que se firmó esta.',
  'constancia-certificate-not-bound': () =>
    'La constancia no nombra con exactitud el certificado con el que se firmó.',
}
