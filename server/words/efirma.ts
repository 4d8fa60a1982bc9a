import type { EfirmaProblem, EfirmaProblemCode } from '#server/domain/efirma/diagnosis.ts'
import type { Pkcs12Refusal } from '#server/domain/pkcs/pkcs12.ts'
import { MONTH_NAMES } from '#server/domain/text/month-names.ts'

/* Shipped to the browser: contains only the words about the e.firma. */

/**
 * What is wrong with an e.firma and what to do, es-MX.
 *
 * @param zone the office's time zone, for dates
 */
export function sentenceOfEfirma(problem: EfirmaProblem, zone = 'America/Mexico_City'): string {
  const sentence = SENTENCES[problem.code]
  return typeof sentence === 'string' ? sentence : sentence(problem, zone)
}

type Sentence = string | ((problem: EfirmaProblem, zone: string) => string)

const SENTENCES: Record<EfirmaProblemCode, Sentence> = {
  'empty-file': ({ file }) => `El archivo está vacío. ${chooseAgain(file)}`,
  'is-a-pdf': ({ file }) =>
    file === 'certificate'
      ? 'Es un documento PDF, no un certificado. Elija el archivo .cer de su e.firma.'
      : 'Es un documento PDF, no una clave privada. Elija el archivo .key de su e.firma.',
  'not-a-certificate':
    'El archivo no es un certificado o está dañado. Elija el archivo .cer de su e.firma.',
  'is-a-private-key':
    'Es una clave privada, no un certificado. Elija aquí el archivo .cer de su e.firma y no comparta el archivo .key con nadie.',
  csd: 'Es un certificado de sello digital (CSD): sirve para facturar, no para firmar documentos. Elija el certificado de su e.firma.',
  'unknown-kind':
    'El certificado no tiene la forma de una e.firma del SAT, por lo que no puede usarse para firmar. Elija el certificado de su e.firma.',
  'authority-certificate':
    'Es el certificado de una autoridad certificadora, no el de una persona. Elija el certificado de su e.firma.',
  'not-yet-valid': ({ certificate }, zone) =>
    `El certificado aún no está vigente${certificate ? `: lo estará a partir del ${dateText(certificate.notBefore, zone)}` : ''}. Revise la fecha de su equipo o elija otro certificado.`,
  expired: ({ certificate }, zone) =>
    `El certificado venció${certificate ? ` el ${dateText(certificate.notAfter, zone)}` : ''} y ya no puede usarse para firmar. Renueve su e.firma ante el SAT o elija un certificado vigente.`,
  'other-person': ({ certificate }) =>
    `El certificado pertenece a otra persona${certificate?.rfc ? ` (RFC ${certificate.rfc})` : ''}. Elija el certificado de la e.firma de quien debe firmar.`,
  'untrusted-issuer':
    'El certificado no fue emitido por una autoridad reconocida en este sistema. Elija una e.firma emitida por el SAT o consulte al administrador.',
  'not-a-private-key':
    'El archivo no es una clave privada o está dañado. Elija el archivo .key de su e.firma.',
  'is-a-certificate':
    'Es un certificado, no una clave privada. Elija aquí el archivo .key de su e.firma.',
  'unprotected-key':
    'La clave privada no está protegida con contraseña. Elija el archivo .key original de su e.firma y elimine la copia sin protección.',
  'unsupported-encryption':
    'La clave privada está protegida con un método que no se admite. Elija el archivo .key original que obtuvo al generar su e.firma.',
  'wrong-password':
    'La contraseña no corresponde a esta clave privada. Verifíquela e intente de nuevo.',
  'key-mismatch':
    'La clave privada no corresponde al certificado. Elija los archivos .cer y .key de la misma e.firma.',
}

const PKCS12_SENTENCES: Record<Pkcs12Refusal, string> = {
  'empty-file': 'El archivo está vacío. Elija su archivo .p12 o .pfx.',
  'is-a-pdf': 'Es un documento PDF, no un archivo PKCS#12. Elija su archivo .p12 o .pfx.',
  'not-a-pkcs12':
    'El archivo no es un PKCS#12 o está dañado. Elija el archivo .p12 o .pfx que contiene su e.firma.',
  'unsupported-encryption':
    'El archivo PKCS#12 está protegido con un método que no se admite. Expórtelo de nuevo con AES-256, o use los archivos .cer y .key.',
  'wrong-password':
    'La contraseña no corresponde a este archivo PKCS#12. Verifíquela e intente de nuevo.',
  'no-pair':
    'El archivo PKCS#12 no contiene un certificado junto con su clave privada RSA. Expórtelo de nuevo con su clave privada.',
}

/** What is wrong with a PKCS#12 file and what to do, es-MX. */
export const sentenceOfPkcs12 = (refusal: Pkcs12Refusal): string => PKCS12_SENTENCES[refusal]

/** For a form that has a PKCS#12 file and a pair of files at once. */
export const ONE_OF_BOTH =
  'Elija el archivo PKCS#12 o los dos archivos de la e.firma, no ambas cosas.'

export const PASSWORD_NEEDED = 'Escriba la contraseña de la clave privada.'

export const CONSENT_NEEDED =
  'Marque la casilla para autorizar esta firma. Sin su autorización la clave privada no se usa.'

const chooseAgain = (file: EfirmaProblem['file']) =>
  `Elija el archivo ${file === 'certificate' ? '.cer' : '.key'} de su e.firma.`

/**
 * `8 de mayo de 2027`
 *
 * @param at milliseconds since 1970
 */
export function dateText(at: number, zone: string): string {
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
  })
  const parts = Object.fromEntries(format.formatToParts(at).map((part) => [part.type, part.value]))
  return `${parts.day} de ${MONTH_NAMES[Number(parts.month) - 1]} de ${parts.year}`
}
