import type { RevocationReason } from '#server/domain/revocation/reason.ts'
import type { CertificateCodes } from '#server/domain/verification/codes/certificate-codes.ts'
import { dayText } from './phrases.ts'
import { reasonForPeople, sentenceAboutDoubt } from './revocation.ts'
import type { SentencesOf } from './words.ts'

/** What stands against the certificate of a signer, or is odd about it, es-MX. */
export const CERTIFICATES: SentencesOf<CertificateCodes> = {
  'authority-unknown': () =>
    'No se reconoce a la autoridad que emitió el certificado del firmante.',
  'certificate-signature-wrong': () =>
    'El certificado dice venir de una autoridad conocida, pero ella no lo firmó.',
  'certificate-expired': ({ notAfter }) =>
    `El certificado venció el ${dayText(notAfter)} y nada prueba que se firmó antes.`,
  'certificate-expired-since-claimed-time': ({ notAfter }) =>
    `El certificado venció el ${dayText(notAfter)}. La firma declara una fecha anterior, pero ningún sello de tiempo la prueba.`,
  'certificate-not-yet-valid': ({ notBefore }) =>
    `El certificado empieza a valer el ${dayText(notBefore)}.`,
  'signed-before-certificate': ({ provenTime, notBefore }) =>
    `Un sello prueba que la firma existía el ${dayText(provenTime)}; el certificado empezó a valer el ${dayText(notBefore)}.`,
  'certificate-invalid-at-claimed-time': () =>
    'El certificado no estaba vigente en la fecha que declara la firma.',
  'too-many-certificates': () =>
    'Se trajeron demasiados certificados para buscar entre ellos la cadena del firmante.',
  'chain-key-unsupported': () =>
    'Un certificado de la cadena del firmante tiene una clave de un tamaño o una curva que no se comprueba.',
  'chain-rules-broken': () => 'La cadena de certificados del firmante no cumple las reglas.',
  'chain-algorithm-weak': () => 'El certificado fue emitido con un algoritmo débil.',
  'certificate-for-seals': () =>
    'Se firmó con un certificado de sello digital (CSD), que no es una e.firma.',
  'certificate-not-for-signing': () => 'El certificado del firmante no se emitió para firmar.',
  'certificate-not-efirma': () => 'El certificado no es una e.firma del SAT.',

  'revoked-before-proven-time': (revoked) =>
    `${revokedOn(revoked)}, y nada prueba que se firmó antes del ${dayText(revoked.provenTime)}.`,
  'revoked-since-claimed-time': (revoked) =>
    `${revokedOn(revoked)} y ningún sello de tiempo prueba que se firmó antes.`,
  'revoked-before-claimed-time': (revoked) =>
    `${revokedOn(revoked)} y la fecha que declara la firma no es anterior.`,
  'revoked-after-proven-time': ({ revokedAt }) =>
    `El certificado fue revocado el ${dayText(revokedAt)}, después de la fecha que prueba el sello de tiempo.`,
  'authority-revoked': () =>
    'Se revocó el certificado de una autoridad de la que depende el firmante.',
  'revocation-unknown': () => 'No se pudo comprobar si el certificado fue revocado.',
  'revocation-not-checked': () => 'No se comprobó si el certificado fue revocado.',
  'revocation-answer-doubtful': ({ doubt }) => sentenceAboutDoubt(doubt),
  'authority-revocation-not-checked': ({ authority }) =>
    `No se comprobó si se revocó a la autoridad ${authority}, de la que depende el firmante.`,
}

function revokedOn({
  revokedAt,
  reason,
}: {
  revokedAt: string
  reason: RevocationReason | null
}): string {
  const why = reason ? ` (${reasonForPeople(reason)})` : ''
  return `El certificado fue revocado el ${dayText(revokedAt)}${why}`
}
