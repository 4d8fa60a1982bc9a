import type { Headline, HeadlineCodes } from '#server/domain/verification/codes/headline-codes.ts'
import { DOWNLOAD_AGAIN } from './phrases.ts'
import { type SentencesOf, sentenceIn } from './words.ts'

export const HEADLINES: SentencesOf<HeadlineCodes> = {
  'signed-and-intact': () => 'Documento íntegro y firmado.',
  'signed-then-filled': () => 'Firmado. Después se llenaron campos.',
  'no-signatures': () => 'El documento no tiene firmas electrónicas.',
  'not-a-pdf': () => 'El archivo no es un PDF que se pueda leer.',
  'signed-bytes-differ': () => 'El archivo fue modificado: no es el que se firmó.',
  'file-truncated': () => `El archivo está incompleto. ${DOWNLOAD_AGAIN}`,
  'incomplete-or-modified': () =>
    `El archivo está incompleto o fue modificado después de firmarse. ${DOWNLOAD_AGAIN}`,
  'revoked-before-signing': () =>
    'El certificado fue revocado antes de la fecha que prueba el sello de tiempo.',
  'modified-after-signing': () => 'El documento fue modificado después de firmarse.',
  'signature-false-or-damaged': () => 'La firma es falsa o está dañada.',
  'signature-invalid': () => 'La firma no es válida.',
  'signed-authority-unknown': () =>
    'El documento está íntegro, pero no se reconoce a la autoridad que emitió el certificado.',
  'signed-certificate-out-of-bounds': () =>
    'Firma íntegra; el certificado no está vigente y ningún sello prueba la fecha de la firma.',
  'signed-certificate-revoked': () =>
    'Firma íntegra; el certificado fue revocado y ningún sello prueba que se firmó antes.',
  'signed-authority-revoked': () =>
    'Firma íntegra; se revocó a una autoridad de la que depende el certificado.',
  'signed-revocation-unknown': () =>
    'El documento está íntegro, pero no se pudo comprobar si el certificado fue revocado.',
  'signed-algorithm-weak': () => 'El documento está íntegro, pero se firmó con un algoritmo débil.',
  'readers-may-differ': () =>
    'Este archivo puede verse distinto según el programa que lo abra: no se puede dar por válido.',
  'no-verdict': () => 'No se pudo llegar a un resultado sobre este documento.',
  'damaged-maybe-signed': () =>
    `El archivo está incompleto o dañado: no se puede saber si fue firmado. ${DOWNLOAD_AGAIN}`,
  'encrypted-maybe-signed': () =>
    'El archivo está cifrado: no se encontró en él ninguna firma que se pueda leer.',
  'too-complex-to-verify': () =>
    'El archivo es demasiado complejo para verificarlo aquí, por lo que no se llegó a un resultado.',
}

/** The verdict about a file, es-MX. */
export const sentenceOfHeadline = (headline: Headline) =>
  sentenceIn<HeadlineCodes>(HEADLINES, headline)
