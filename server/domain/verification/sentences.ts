import type { SignatureReport, Verdict } from './report.ts'

/**
 * The one sentence of a report, es-MX, for people.
 *
 * @param loss why the file may have had signatures that are not among `signatures`
 */
export function sentenceOf(
  verdict: Verdict,
  signatures: readonly SignatureReport[],
  loss?: Loss,
): string {
  switch (verdict) {
    case 'VALID':
      return 'Documento íntegro y firmado.'
    case 'NO_SIGNATURE':
      return 'El documento no tiene firmas electrónicas.'
    case 'NOT_A_PDF':
      return 'El archivo no es un PDF que se pueda leer.'
    case 'INVALID':
      return invalidSentence(signatures)
    case 'INDETERMINATE':
      return loss ? LOSSES[loss] : indeterminateSentence(signatures)
  }
}

/** Why it is unknown whether a file without readable signatures had any. */
export type Loss = 'damaged' | 'encrypted'

const LOSSES: Record<Loss, string> = {
  damaged: 'El archivo está incompleto o dañado: no se puede saber si fue firmado.',
  encrypted: 'El archivo está cifrado: no se encontró en él ninguna firma que se pueda leer.',
}

function invalidSentence(signatures: readonly SignatureReport[]): string {
  const failed = signatures.filter(({ indication }) => indication === 'TOTAL_FAILED')
  if (failed.some(({ subIndication }) => subIndication === 'HASH_FAILURE'))
    return 'El archivo fue modificado: no es el que se firmó.'
  if (failed.some(({ subIndication }) => subIndication === 'REVOKED'))
    return 'El certificado fue revocado antes de la firma.'
  if (failed.some(({ modification }) => modification === 'OTHER' || modification === 'ANNOTATIONS'))
    return 'El documento fue modificado después de firmarse.'
  if (failed.some(({ subIndication }) => subIndication === 'SIG_CRYPTO_FAILURE'))
    return 'La firma es falsa o está dañada.'
  return 'La firma no es válida.'
}

function indeterminateSentence(signatures: readonly SignatureReport[]): string {
  const reasons = new Set(signatures.map(({ subIndication }) => subIndication))
  if (reasons.has('NO_CERTIFICATE_CHAIN_FOUND'))
    return 'El documento está íntegro, pero no se reconoce a la autoridad que emitió el certificado.'
  if (reasons.has('OUT_OF_BOUNDS_NO_POE'))
    return 'Firma íntegra; el certificado no está vigente y ningún sello prueba la fecha de la firma.'
  if (reasons.has('REVOKED_NO_POE'))
    return 'Firma íntegra; el certificado fue revocado y ningún sello prueba que se firmó antes.'
  if (reasons.has('REVOKED_CA_NO_POE'))
    return 'Firma íntegra; se revocó a una autoridad de la que depende el certificado.'
  if (reasons.has('TRY_LATER'))
    return 'El documento está íntegro, pero no se pudo comprobar si el certificado fue revocado.'
  if (reasons.has('CRYPTO_CONSTRAINTS_FAILURE_NO_POE'))
    return 'El documento está íntegro, pero se firmó con un algoritmo débil.'
  return 'No se pudo llegar a un dictamen sobre este documento.'
}
